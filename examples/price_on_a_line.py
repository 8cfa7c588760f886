"""The price of fairness on a line.

Most people live at the two ends, a few in between. Hard clustering serves the ends for nothing.
Under the global similarity chances may change only as fast as the way from end to end goes: those
at the ends pay nothing, those in between share. The more people in between, the dearer fairness
gets; if they fill the line it costs a constant factor. Writes price_on_a_line.svg.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from likewise import LikewiseClustering, metrics

AT_THE_ENDS = 60


def main(folder: Path) -> None:
    shares, prices = [], []
    for between in (0, 1, 3, 7, 15, 31, 63, 127):
        inner = np.linspace(0, 1, between + 2)[1:-1]
        line = np.concatenate([np.zeros(AT_THE_ENDS), inner, np.ones(AT_THE_ENDS)])[:, None]
        ends = np.array([0, len(line) - 1])
        model = LikewiseClustering(2, p=1, centers=ends).fit(line)
        away = np.abs(line - line[ends].T)
        hard = metrics.hard_cost(away, 1)
        shares.append(between / len(line))
        prices.append(model.cost_ / hard if hard else 1.0)
        print(f"{between:4d} of {len(line):4d} in between: {prices[-1]:.3f} times hard clustering")
    print(model.certificate_)

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    axes[0].plot(line[:, 0], model.distributions_[:, 1], ".", color="#0072b2", label="likewise")
    axes[0].plot(line[:, 0], line[:, 0] > 0.5, color="#d55e00", label="hard clustering")
    axes[0].set(xlabel="place on the line", ylabel="chance of the right end")
    axes[0].legend(frameon=False)
    axes[1].plot([100 * share for share in shares], prices, "-o", color="#0072b2")
    axes[1].set(xlabel="% of people in between", ylabel="cost over hard clustering")
    figure.savefig(folder / "price_on_a_line.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 and Path(sys.argv[1]).is_dir() else Path())
