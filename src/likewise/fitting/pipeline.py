"""From a task and centres to a certified answer, with better centres if they are asked for."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from sklearn.utils import check_random_state

from likewise._typing import Array
from likewise.centers import refine
from likewise.centers.choose import Centers, at_rows
from likewise.certificate import ALLOWED_EXCESS, Certificate, certify, prove_radius
from likewise.errors import SolverError
from likewise.fitting.k_center import least_radius
from likewise.problem.assignment import Assignment, AssignmentProblem
from likewise.problem.specification import Task
from likewise.solvers.budget import Budget
from likewise.solvers.checkpoint import RunCheckpoint
from likewise.solvers.solve import solve

FINALISTS = 3  # of several starts, so many are refined to the end


@dataclass(frozen=True)
class Settings:
    """How to solve, and how long."""

    solver: str
    tol: float
    max_time: float | None
    max_refine: int
    random_state: object
    verbose: int


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
        return self.certificate.objective


class Fitting:
    """One fit: solves, counts the time, and tries better centres."""

    def __init__(self, task: Task, settings: Settings, keeper: RunCheckpoint | None = None) -> None:
        self.task = task
        self.keeper = keeper
        self.settings = settings
        self._started = time.monotonic()
        self._solving = 0.0
        self._stopped = False  # by the time limit, or by the user
        self._random = check_random_state(settings.random_state)

    def fit(self, centers: Centers) -> Fitted:
        """The answer with these centres, then with better ones as long as they lower the cost."""
        if np.isinf(self.task.p):
            return self._within_least_radius(centers)
        fitted = [self._assigned(centers, None)]
        steps = self.settings.max_refine
        if steps and refine.other_starts_are_worth_it(self.task):
            fitted += self._restarts(centers)
        if steps:
            # moves are quick, swaps are not: these only from where moves led furthest down
            moved = [self._refined(start, self._moved) for start in fitted]
            moved.sort(key=lambda found: found.objective)
            fitted = [self._refined(start, self._moved_or_swapped) for start in moved[:FINALISTS]]
        best = min(fitted, key=lambda found: found.objective)
        return replace(best, seconds=self._solving, proven_ratio=centers.proven_ratio)

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
        budget = Budget(self.settings.max_time, self.settings.verbose)
        task = self.task
        with budget.ended_by_interrupt():
            found = least_radius(task.problem(centers.distances), centers.distances, budget)
        self._solving += budget.seconds
        problem = task.problem(centers.distances, allowed=found.allowed)
        fitted = self._solved(centers, problem, Assignment.of(found.distributions))
        proof = prove_radius(
            problem,
            centers.distances,
            fitted.assignment.distributions,
            found.radius,
            found.next_smaller,
            found.duals_below,
        )
        certificate = replace(fitted.certificate, radius=proof)
        ratio = centers.proven_ratio
        return replace(fitted, certificate=certificate, seconds=self._solving, proven_ratio=ratio)

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
        settings = self.settings
        assignment = solve(
            problem,
            settings.solver,
            tol=settings.tol,
            max_time=self._time_left,
            verbose=settings.verbose,
            start=start,
            give_up_at=give_up_at,
            checkpoint=self.keeper,
        )
        self._solving += assignment.seconds
        self._stopped = not assignment.finished or self._time_left == 0.0
        certificate = certify(problem, assignment.distributions, assignment.duals)
        if not certificate.is_fair:
            raise SolverError(
                f"no answer within {ALLOWED_EXCESS:g} of the bounds was reached:\n{certificate}\n"
                "Scale the data so that distances are neither tiny nor huge, or raise the bounds."
            )
        return Fitted(centers, problem, assignment, certificate)

    @property
    def _time_left(self) -> float | None:
        if self.settings.max_time is None:
            return None
        return max(0.0, self.settings.max_time - (time.monotonic() - self._started))
