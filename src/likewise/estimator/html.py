"""A fitted model in a notebook: whether it is fair, what it costs, how large its clusters are."""

from html import escape

from sklearn import get_config
from sklearn.utils import estimator_html_repr

from likewise._typing import Array
from likewise.certificate import Certificate
from likewise.drawing.colors import palette

_BOX = "border:1px solid #8884;border-radius:6px;padding:.6em 1em;margin:.4em 0;max-width:52em"
_CELL = "padding:.1em .9em .1em 0;text-align:left"
_KEY = "display:inline-block;width:.8em;height:.8em;border-radius:50%;margin-right:.4em;background:"


class ShowsItself:
    """The representation in notebooks: scikit-learn's, and below it the answer of the fit."""

    certificate_: Certificate
    distributions_: Array
    labels_: Array
    cost_: float
    price_: float

    @property
    def _repr_html_(self) -> object:
        """A function that makes it, where scikit-learn is set to show diagrams."""
        if get_config()["display"] != "diagram":
            raise AttributeError("_repr_html_: scikit-learn's display is set to text")
        return self._as_html

    def _repr_mimebundle_(self, **which: object) -> dict[str, str]:
        shown = {"text/plain": repr(self)}
        if get_config()["display"] == "diagram":
            shown["text/html"] = self._as_html()
        return shown

    def _as_html(self) -> str:
        diagram = str(estimator_html_repr(self))
        return diagram if not hasattr(self, "certificate_") else f"{diagram}{self._answer()}"

    def _answer(self) -> str:
        proof = self.certificate_
        verdict = "every bound kept" if proof.is_fair else "NOT FAIR"
        facts = {
            "fair": f"{verdict}; {proof.pairs_checked:,} ordered pairs checked",
            "cost": f"{self.cost_:.6g}, {self.price_:.3f} times that of hard clustering",
            "proof": f"at most {proof.gap:.1e} of the objective above the least for these centres",
        }
        rows = "".join(_row(name, escape(value)) for name, value in facts.items())
        notes = "".join(f"<p>{escape(note)}</p>" for note in proof.notes(lambda row: f"X[{row}]"))
        return (
            f'<div style="{_BOX}"><table>{rows}{_row("sizes", self._sizes())}</table>{notes}</div>'
        )

    def _sizes(self) -> str:
        """How many people each cluster is expected to have."""
        sizes = self.distributions_.sum(axis=0).tolist()
        return " ".join(
            f'<span style="white-space:nowrap;margin-right:1em"><span style="{_KEY}{color}"></span>'
            f"{number}: {size:,.1f}</span>"
            for number, (size, color) in enumerate(zip(sizes, palette(len(sizes)), strict=True))
        )


def _row(name: str, value: str) -> str:
    return f'<tr><th style="{_CELL}">{name}</th><td style="{_CELL}">{value}</td></tr>'
