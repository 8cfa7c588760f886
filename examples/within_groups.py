"""Why combined fairness compares only people who share a protected group.

Two neighbourhoods, A and B. Ninety red and ten blue people live in A, ten red and ninety blue in
B. Every cluster is to be half red, half blue. If neighbours of different colour must be treated
alike *too*, everybody in A has one distribution and everybody in B another, and red and blue can
only balance if the two are the same: fairness to all pairs and to groups leaves one distribution
for everybody. Comparing within groups, as the paper's Definition 4 does, leaves a choice.
"""

import warnings

import numpy as np

from likewise import LikewiseClustering
from likewise.errors import SamenessWarning


def main() -> None:
    rng = np.random.default_rng(0)
    in_a, in_b = rng.normal(0, 0.001, (100, 2)), rng.normal(1, 0.001, (100, 2))
    X = np.vstack([in_a, in_b])
    color = np.array(["red"] * 90 + ["blue"] * 10 + ["red"] * 10 + ["blue"] * 90)
    where = np.array(["A"] * 100 + ["B"] * 100)

    warnings.simplefilter("ignore", SamenessWarning)  # that is the point, and is printed below
    for individual in ("all", "within-groups"):
        model = LikewiseClustering(
            n_clusters=2,
            centers=[0, 100],
            similarity="global",
            group_tolerance=0.0,
            individual=individual,
            tol=1e-3,
        ).fit(X, sensitive_features={"color": color})
        print(f"pairs compared: {individual}; expected cost {model.objective_:.1f}")
        for place in "AB":
            for c in ("red", "blue"):
                chance = model.distributions_[(where == place) & (color == c), 0].mean()
                print(f"  {c:>4} in {place}: {chance:.2f} to be assigned to A's centre")
        print(model.certificate_)


if __name__ == "__main__":
    main()
