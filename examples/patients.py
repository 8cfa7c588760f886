"""Cluster 442 patients so that similar patients are treated alike.

The data ship with scikit-learn. Nine measurements decide who is similar; `sex` is protected: it is
left out of them, and shown afterwards so that one can see what each cluster is made of.
"""

import time

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler

from likewise import LikewiseClustering

N_CLUSTERS = 4


def main() -> None:
    patients = load_diabetes(scaled=False)
    sex = patients.data[:, patients.feature_names.index("sex")]
    features = [name for name in patients.feature_names if name != "sex"]
    X = StandardScaler().fit_transform(np.delete(patients.data, 1, axis=1))

    print(f"{len(X)} patients, {len(features)} measurements, {N_CLUSTERS} clusters")
    print("fair means: any two patients' cluster probabilities differ (in total variation) by at")
    print("most their distance, as a share of the largest distance in the data\n")

    started = time.perf_counter()
    model = LikewiseClustering(N_CLUSTERS, random_state=0).fit(X)
    seconds = time.perf_counter() - started
    print(f"solved by the {model.solver_} engine in {seconds:.1f} s; the certificate:")
    for line in str(model.certificate_).splitlines():
        print(f"  {line}")

    print("\n  cluster   expected size   sex 1   sex 2")
    for c in range(N_CLUSTERS):
        mass = model.distributions_[:, c]
        shares = [mass[sex == value].sum() / mass.sum() for value in (1.0, 2.0)]
        print(f"  {c:7d}   {mass.sum():13.1f}   {shares[0]:5.0%}   {shares[1]:5.0%}")

    hard = np.eye(N_CLUSTERS)[KMeans(N_CLUSTERS, random_state=0, n_init=10).fit_predict(X)]
    print("\npairs of patients treated more differently than they are:")
    print(f"  k-means    {violated(X, hard):6.1%}")
    print(f"  likewise   {violated(X, model.distributions_):6.1%}")

    print("\nthe first three patients, probability of each cluster:")
    for row in model.distributions_[:3]:
        print("  " + "  ".join(f"{value:.3f}" for value in row))


def violated(X: np.ndarray, distributions: np.ndarray) -> float:
    """The share of pairs whose treatment differs by more than their distance allows."""
    distance = np.linalg.norm(X[:, None] - X[None], axis=2)
    treatment = 0.5 * np.abs(distributions[:, None] - distributions[None]).sum(axis=2)
    return float(np.mean(treatment > distance / distance.max() + 1e-9))


if __name__ == "__main__":
    main()
