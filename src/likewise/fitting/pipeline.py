"""From a task and centres to a certified answer, with better centres if they are asked for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from sklearn.utils import check_random_state

from likewise._typing import Array, Seed
from likewise.centers import refine
from likewise.centers.choose import Centers, at_rows
from likewise.certificate import (
    ALLOWED_EXCESS,
    Certificate,
    certify,
    prove_radius,
    seconds_to_check,
)
from likewise.compute.budget import Budget
from likewise.compute.progress import TimeLeft
from likewise.errors import SolverError
from likewise.fitting.k_center import least_radius
from likewise.problem.assignment import Assignment, AssignmentProblem
from likewise.problem.scope import scope_of
from likewise.problem.specification import Task
from likewise.solvers.checkpoint import RunCheckpoint
from likewise.solvers.solve import solve_within

# Of the time limit, the most that is kept for the certificate to check every pair; where that is
# not enough for all of them, this much for as many as it is enough for.
ALL_PAIRS, SOME_PAIRS = 0.4, 0.1
FINALISTS = 3  # of several starts, those that are refined to the end: swaps take the time


@dataclass(frozen=True)
class Settings:
    """How to solve, and how often to look for better centres."""

    solver: str = "auto"
    tol: float = 1e-4
    max_refine: int = 0
    random_state: Seed = None


@dataclass(frozen=True)
class Fitted:
    """Centres, the fair assignment to them, and its proof."""

    centers: Centers
    problem: AssignmentProblem
    assignment: Assignment
    certificate: Certificate
    seconds: float = 0.0  # of solving, everything tried included
    n_refined: int = 0
    proven_ratio: float | None = None  # of the centres it began with: costs only fall from there

    @property
    def objective(self) -> float:
        """What it costs, as the certificate has it."""
        return self.certificate.objective

    def guarantee(self, p: float) -> float | None:
        """The paper's theorem, for centres within ``proven_ratio`` of the best vanilla clustering:
        the cost is at most this many times that of the best fair one.
        """
        if self.proven_ratio is None:
            return None
        worse = self.proven_ratio + 2
        return worse if np.isinf(p) else float(3 ** (1 - 1 / p) * worse)


class Fitting:
    """One fit: solves, keeps to one budget of time, and tries better centres."""

    def __init__(
        self,
        task: Task,
        settings: Settings,
        budget: Budget,
        checkpoint: RunCheckpoint | None = None,
    ) -> None:
        self.task = task
        self.settings = settings
        self.checkpoint = checkpoint
        self._budget = budget
        self._solving = 0.0  # seconds
        self._stopped = False  # by the time limit, or by the user
        self._random = check_random_state(settings.random_state)
        self._compared = str(scope_of(task.specification, task.distances.n_points))

    def fit(self, centers: Centers, start: Assignment | None = None) -> Fitted:
        """The answer with these centres, then with better ones as long as they lower the cost; from
        a fair answer to begin with, if there is one.
        """
        if np.isinf(self.task.p):
            fitted = self._within_least_radius(centers)
        else:
            fitted = min(self._tried(centers, start), key=lambda found: found.objective)
        return replace(fitted, seconds=self._solving, proven_ratio=centers.proven_ratio)

    def _tried(self, centers: Centers, start: Assignment | None) -> list[Fitted]:
        """The answers with these centres and, if that is asked for, with better ones."""
        fitted = [self._assigned(centers, start)]
        if not self.settings.max_refine:
            return fitted
        if refine.other_starts_are_worth_it(self.task):
            fitted += self._restarts(centers)
        # moves are quick, swaps are not: these only from where moves led furthest down
        moved = [self._refined(start, self._moved) for start in fitted]
        moved.sort(key=lambda found: found.objective)
        return [self._refined(start, self._moved_or_swapped) for start in moved[:FINALISTS]]

    def _restarts(self, centers: Centers) -> Iterator[Fitted]:
        """Answers with other vanilla centres to begin with."""
        for rows in refine.other_starts(self.task, len(centers.indices), self._random):
            if self._stopped:
                return
            yield self._assigned(at_rows(rows, self.task.distances), None)

    def _refined(self, best: Fitted, others: Callable[[Fitted], Iterator[Array]]) -> Fitted:
        """Other centres again and again, as long as they lower the cost."""
        while best.n_refined < self.settings.max_refine:
            better = self._improved(best, others(best))
            if better is None:
                break
            best = replace(better, n_refined=best.n_refined + 1)
        return best

    def _within_least_radius(self, centers: Centers) -> Fitted:
        """k-center: the least radius first, then the least expected distance within it."""
        budget, before = self._budget, self._budget.seconds
        with budget.ended_by_interrupt():
            least = least_radius(self.task.problem(centers.distances), centers.distances, budget)
        self._solving += budget.seconds - before
        problem = self.task.problem(centers.distances, allowed=least.allowed)
        fitted = self._solved(centers, problem, Assignment.of(least.distributions))
        proof = prove_radius(
            problem,
            centers.distances,
            fitted.assignment.distributions,
            least.radius,
            least.next_smaller,
            least.duals_below,
            budget,
        )
        return replace(fitted, certificate=replace(fitted.certificate, radius=proof))

    def _improved(self, best: Fitted, others: Iterator[Array]) -> Fitted | None:
        """The answer with the first of these centres that is cheaper."""
        for rows in others:
            if self._stopped:
                return None
            target = (1 - refine.WORTHWHILE) * best.objective
            found = self._assigned(at_rows(rows, self.task.distances), best.assignment, target)
            if found.objective < target:
                return found
        return None

    def _moved(self, best: Fitted) -> Iterator[Array]:
        rows, x = best.centers.indices, best.assignment.distributions
        moved = refine.moved_centers(self.task, rows, x, self._random)
        if moved is not None:
            yield moved

    def _moved_or_swapped(self, best: Fitted) -> Iterator[Array]:
        yield from self._moved(best)
        yield from refine.promising_swaps(
            self.task, best.centers.indices, best.problem, best.assignment, best.objective
        )

    def _assigned(
        self, centers: Centers, start: Assignment | None, give_up_at: float = np.inf
    ) -> Fitted:
        return self._solved(centers, self.task.problem(centers.distances), start, give_up_at)

    def _solved(
        self,
        centers: Centers,
        problem: AssignmentProblem,
        start: Assignment | None,
        give_up_at: float = np.inf,
    ) -> Fitted:
        """The assignment to these centres, certified; an error if it is not fair."""
        settings, budget = self.settings, self._budget
        budget.time_left = TimeLeft(settings.tol)
        self._set_time_aside(problem)
        assignment = solve_within(
            problem,
            budget,
            settings.solver,
            tol=settings.tol,
            start=start,
            give_up_at=give_up_at,
            checkpoint=self.checkpoint,
        )
        self._solving += assignment.seconds
        self._stopped = not assignment.finished or budget.is_spent
        certificate = certify(problem, assignment.distributions, assignment.duals, budget)
        if not certificate.is_fair:
            raise SolverError(
                f"no answer within {ALLOWED_EXCESS:g} of the bounds was reached:\n{certificate}\n"
                "Scale the data so that distances are neither tiny nor huge, or raise the bounds."
            )
        scale = float(self.task.specification.bound_scale)
        stated = replace(certificate, compared=self._compared, bound_scale=scale)
        return Fitted(centers, problem, assignment, stated)

    def _set_time_aside(self, problem: AssignmentProblem) -> None:
        """For the certificate, where there is a limit."""
        budget = self._budget
        if np.isinf(budget.max_time) or budget.set_aside > 0 or budget.is_spent:
            return
        share = seconds_to_check(problem) / budget.max_time
        budget.set_aside = (share if share <= ALL_PAIRS else SOME_PAIRS) * budget.max_time
