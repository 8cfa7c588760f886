"""The same people under both similarities, side by side.

Patients by age, weight and blood pressure. Measured by the largest distance in the data, nearly
everybody counts as alike, and the colours of all run together. Measured by how far away a cluster's
worth of others lives, clusters are clear where people are far apart and fade where they are near.
"""

import sys
import warnings
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler

from likewise import LikewiseClustering
from likewise.displays import ClusterMapDisplay
from likewise.errors import SamenessWarning


def main(folder: Path) -> None:
    patients = load_diabetes(scaled=False, as_frame=True).data
    X = StandardScaler().fit_transform(patients[["age", "bmi", "bp"]][:250])
    warnings.simplefilter("ignore", SamenessWarning)  # that is the point, and is printed below
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
    for similarity, ax in zip(["local", "global"], axes, strict=True):
        model = LikewiseClustering(4, similarity=similarity, tol=1e-3, random_state=0).fit(X)
        print(f"--- {similarity}: {model.price_:.2f} times the cost of hard clustering")
        print(model.certificate_)
        ClusterMapDisplay.from_estimator(model, X, ax=ax)
        ax.set_title(f"{similarity}: {model.price_:.2f} times the cost of hard clustering")
    figure.savefig(folder / "which_similarity.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 and Path(sys.argv[1]).is_dir() else Path())
