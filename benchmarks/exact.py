"""The exact engine: against the whole program at n = 300, and at the paper's n = 1000."""

from benchmarks import instances
from benchmarks.generic import highs_through_scipy
from likewise import certify, solve


def run() -> None:
    small = instances.paper(n=300, similarity="global", dataset="creditcard", k=(4, 10))
    large = instances.paper(n=1000, sample=1, k=(4, 10))
    solve(instances.generated(50, 3, 5).problem)  # compile first

    print("\nexact engine against the whole program in HiGHS (scipy), n = 300")
    print(f"{'instance':36s} {'ours':>8s} {'whole':>9s} {'ratio':>7s} {'difference':>11s}")
    for instance in small or [instances.generated(300, 4, 75)]:
        ours = solve(instance.problem, "exact")
        objective, seconds = highs_through_scipy(instance.problem)
        difference = instance.problem.objective(ours.distributions) / objective - 1
        print(
            f"{instance.name:36s} {ours.seconds:7.2f}s {seconds:8.1f}s"
            f" {seconds / ours.seconds:6.0f}x {difference:11.1e}",
            flush=True,
        )

    print("\nexact engine, n = 1000 (their seconds: CPLEX on 20 cores)")
    print(
        f"{'instance':36s} {'seconds':>8s} {'theirs':>8s} {'rounds':>6s} {'pairs':>7s}"
        f" {'cuts':>7s} {'gap':>8s} {'excess':>8s} {'vs reference':>12s}"
    )
    for instance in large or [instances.generated(1000, 4, 250)]:
        ours = solve(instance.problem, "exact")
        certificate = certify(instance.problem, ours.distributions, ours.duals)
        off = (
            f"{certificate.objective / instance.problem.n_points / instance.expected - 1:12.1e}"
            if instance.expected
            else " " * 12
        )
        print(
            f"{instance.name:36s} {ours.seconds:7.2f}s {instance.their_seconds or 0:7.0f}s"
            f" {ours.trace['rounds']:6d} {ours.trace['pairs_with_cuts']:7d}"
            f" {ours.trace['cuts']:7d} {certificate.gap:8.1e}"
            f" {certificate.worst_excess:8.1e} {off}",
            flush=True,
        )
