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
    Sameness,
    certify,
    prove_radius,
    seconds_to_check,
)
from likewise.compute.budget import Budget
from likewise.compute.progress import TimeLeft
from likewise.errors import SolverError
from likewise.fitting.checkpoint import NumberedRun
from likewise.fitting.k_center import least_radius
from likewise.problem.assignment import Assignment, AssignmentProblem
from likewise.problem.outliers import far_from_everybody
from likewise.problem.scope import scope_of
from likewise.problem.specification import Task
from likewise.solvers.checkpoint import RunCheckpoint
from likewise.solvers.solve import solve_within

# Of the time limit, the most that is kept for the certificate to check every pair; where that is
# not enough for all of them, this much for as many as it is enough for.
ALL_PAIRS, SOME_PAIRS = 0.4, 0.1
ROUGHLY = 1e-2  # the gap at which an answer is good enough to move its centres
FINALISTS = 3  # of several starts, those that are refined to the end: swaps take the time


@dataclass(frozen=True)
class Settings:
    """How to solve, and how often to look for better centres."""

    solver: str = "auto"
    tol: float = 1e-4
    max_refine: int | str = 0  # "auto": as long as moves promise much
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
        self._runs = 0  # of the solver
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
        if self.settings.max_refine == refine.AUTO:
            return list(self._automatic(centers, start))
        fitted = [self._assigned(centers, start)]
        if not self.settings.max_refine:
            return fitted
        if refine.other_starts_are_worth_it(self.task):
            fitted += self._restarts(centers)
        # moves are quick, swaps are not: these only from where moves led furthest down
        moved = [self._refined(start, self._moved) for start in fitted]
        moved.sort(key=lambda found: found.objective)
        return [self._refined(start, self._moved_or_swapped) for start in moved[:FINALISTS]]

    def _automatic(self, centers: Centers, start: Assignment | None) -> Iterator[Fitted]:
        """The answer after free moves, and one that costs no more than everybody at one centre, if
        that is not enough for it.
        """
        row, at_one = refine.one_for_all(self.task)
        if len(centers.indices) == 1:
            centers = at_rows(np.array([row]), self.task.distances)
        fitted = self._moved_freely(centers, start)
        yield fitted
        if fitted.objective <= at_one or self._stopped:
            return
        mass = self.task.weights @ fitted.assignment.distributions
        rows = refine.with_one_for_all(fitted.centers.indices, mass, row)
        x = np.tile((rows == row).astype(float), (len(self.task.weights), 1))
        there = self._assigned(at_rows(rows, self.task.distances), Assignment.of(x))
        yield replace(there, n_refined=fitted.n_refined + 1)

    def _moved_freely(self, centers: Centers, answer: Assignment | None) -> Fitted:
        """Rough answers, after each of which centres move to where its people are; the last answer
        is for the centres that are kept, to the gap that was asked for.

        A move is taken for what it saves by itself. Only where that is much, another rough answer
        shows where to move next. Where the vanilla centres are proven to be good, the first answer
        is no rough one: the proof is about its cost.
        """
        tol = self.settings.tol
        n_refined, gap = 0, tol if centers.proven_ratio is not None else max(tol, ROUGHLY)
        problem = self.task.problem(centers.distances)
        while len(centers.indices) > 1:
            answer, is_final = self._solve(problem, answer, gap), gap <= tol
            gap = max(tol, ROUGHLY)
            x, before = answer.distributions, problem.objective(answer.distributions)
            rows = None
            if not self._stopped:
                rows = refine.moved_centers(self.task, centers.indices, x, self._random)
            if rows is None and (is_final or self._stopped):
                return replace(self._certified(centers, problem, answer), n_refined=n_refined)
            if rows is None:
                break
            n_refined += 1
            centers = at_rows(rows, self.task.distances)
            problem = self.task.problem(centers.distances)
            if problem.objective(x) > (1 - refine.PROMISING) * before:
                break
        return replace(self._assigned(centers, answer), n_refined=n_refined)

    def _restarts(self, centers: Centers) -> Iterator[Fitted]:
        """Answers with other vanilla centres to begin with."""
        for rows in refine.other_starts(self.task, len(centers.indices), self._random):
            if self._stopped:
                return
            yield self._assigned(at_rows(rows, self.task.distances), None)

    def _refined(self, best: Fitted, others: Callable[[Fitted], Iterator[Array]]) -> Fitted:
        """Other centres again and again, as long as they lower the cost."""
        most = self.settings.max_refine
        assert not isinstance(most, str), "free moves have a rule of their own"
        while best.n_refined < most:
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
        answer = self._solve(problem, start, self.settings.tol, give_up_at)
        return self._certified(centers, problem, answer)

    def _solve(
        self,
        problem: AssignmentProblem,
        start: Assignment | None,
        tol: float,
        give_up_at: float = np.inf,
    ) -> Assignment:
        self._budget.time_left = TimeLeft(tol)
        self._set_time_aside(problem)
        self._runs += 1
        checkpoint = self.checkpoint and NumberedRun(self.checkpoint, self._runs)
        assignment = solve_within(
            problem,
            self._budget,
            self._solver_for(problem, tol),
            tol=tol,
            start=start,
            give_up_at=give_up_at,
            checkpoint=checkpoint,
        )
        self._solving += assignment.seconds
        self._stopped = not assignment.finished or self._budget.is_spent
        return assignment

    def _solver_for(self, problem: AssignmentProblem, tol: float) -> str:
        """Cuts go to the optimum whatever is asked for: a rough answer is had without them."""
        rough = tol > self.settings.tol and problem.divergence.piecewise_linear
        return "first-order" if rough else self.settings.solver

    def _certified(
        self, centers: Centers, problem: AssignmentProblem, assignment: Assignment
    ) -> Fitted:
        certificate = certify(problem, assignment.distributions, assignment.duals, self._budget)
        if not certificate.is_fair:
            raise SolverError(
                f"no answer within {ALLOWED_EXCESS:g} of the bounds was reached:\n{certificate}\n"
                "Scale the data so that distances are neither tiny nor huge, or raise the bounds."
            )
        stated = replace(
            certificate,
            compared=self._compared,
            bound_scale=float(self.task.specification.bound_scale),
            sameness=self._explained(certificate.sameness),
        )
        return Fitted(centers, problem, assignment, stated)

    def _explained(self, found: Sameness | None) -> Sameness | None:
        """With what would change it, and who may be the cause."""
        if found is None or not found.is_notable:
            return found
        told = self.task.specification
        remedies = ["larger bounds (bound_scale above 1)", "other columns, or another scaling"]
        if isinstance(told.similarity, str) and told.similarity == "global":
            remedies.insert(0, "the local similarity")
        if self._stopped:
            remedies.insert(0, "more time")
        middle, _ = refine.one_for_all(self.task)
        outliers = far_from_everybody(self.task.distances.to_rows(np.array([middle]))[:, 0])
        if outliers:
            remedies.append("leaving out outliers")
        return replace(found, remedies=tuple(remedies), outliers=outliers)

    def _set_time_aside(self, problem: AssignmentProblem) -> None:
        """For the certificate, where there is a limit."""
        budget = self._budget
        if np.isinf(budget.max_time) or budget.set_aside > 0 or budget.is_spent:
            return
        share = seconds_to_check(problem) / budget.max_time
        budget.set_aside = (share if share <= ALL_PAIRS else SOME_PAIRS) * budget.max_time
