"""A fitted model in one file: arrays and JSON, no pickle (``likewise.io.archive``).

The file holds the parameters, the attributes that a fit leaves, and the people whom later ones are
compared with. What belongs to the machine (``engine``, ``checkpoint``) is left behind. What is a
function of the user's own (a metric, a similarity, a divergence) is no data: such a model is
refused, with the name of the parameter.
"""

from collections.abc import Mapping
from dataclasses import asdict
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from likewise.certificate import Certificate, RadiusProof, Sameness
from likewise.divergences.registry import REGISTRY, as_divergence
from likewise.geometry.distances import Distances
from likewise.geometry.mixed import MixedColumns
from likewise.groups.membership import Groups
from likewise.io.archive import read_archive, write_archive
from likewise.prediction.out_of_sample import FittedPeople, OutOfSampleExtension
from likewise.problem.assignment import Duals
from likewise.similarities.pairs import Pairs
from likewise.similarities.rules import GlobalRule, LocalRule, Rule, ScaledRule

KIND = "model"
OF_THE_MACHINE = ("engine", "checkpoint")  # parameters that do not travel
# attributes that are no plain values
_NAMES, _PROOF, _DUALS = "feature_names_in_", "certificate_", "duals_"
_PAIRS = "pairs"


class SavesAndLoads:
    """``save`` and ``load`` for a fitted estimator."""

    _extension: OutOfSampleExtension
    _mixed: MixedColumns | None

    def save(self, path: str | PathLike[str]) -> None:
        """Write the fitted model into one file, whole or not at all."""
        check_is_fitted(self)
        values = {
            "parameters": self._parameters_to_keep(),
            "attributes": self._attributes_to_keep(),
            "people": _people_as_values(self._extension.people),
            "mixed": {"values": None if self._mixed is None else self._mixed.values},
        }
        write_archive(Path(path), KIND, values)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """The model that ``save`` wrote: the same parameters, attributes and predictions. Nothing
        in the file is run, and one that is damaged or not a model is refused.
        """
        kept = {name: _named(value) for name, value in read_archive(Path(path), KIND).items()}
        model = cls(**kept["parameters"])
        similarity = vars(model)["similarity"]
        if isinstance(similarity, Mapping):
            vars(model)["similarity"] = Pairs(*similarity[_PAIRS])
        attributes = kept["attributes"]
        attributes[_PROOF] = _certificate(attributes[_PROOF])
        attributes[_DUALS] = Duals(**attributes[_DUALS])
        if _NAMES in attributes:
            attributes[_NAMES] = np.array(attributes[_NAMES], dtype=object)
        vars(model).update(attributes)
        mixed = kept.get("mixed", {}).get("values")
        model._mixed = None if mixed is None else MixedColumns.from_values(mixed)
        model._extension = OutOfSampleExtension(_people_from(kept["people"], vars(model)))
        return model

    def _parameters_to_keep(self) -> dict[str, object]:
        kept = {name: vars(self)[name] for name in self._get_param_names()}  # type: ignore[attr-defined]
        kept = {name: value for name, value in kept.items() if name not in OF_THE_MACHINE}
        kept["divergence"] = _by_name(kept["divergence"])
        if isinstance(kept["similarity"], Pairs):
            pairs = kept["similarity"]
            kept["similarity"] = {_PAIRS: (pairs.i, pairs.j, pairs.bound)}
        return kept

    def _attributes_to_keep(self) -> dict[str, object]:
        """Everything that a fit leaves, by its name."""
        kept = {
            name: value
            for name, value in vars(self).items()
            if name.endswith("_") and not name.startswith("_")
        }
        kept |= {name: asdict(kept[name]) for name in (_PROOF, _DUALS)}
        if _NAMES in kept:
            kept[_NAMES] = [str(name) for name in kept[_NAMES]]
        return kept


def _named(values: object) -> dict[str, Any]:
    """Values of any kind by their names, as they were written."""
    assert isinstance(values, dict)
    return values


def _by_name(divergence: object) -> object:
    """Its name, where it has one that means just this divergence."""
    known = as_divergence(divergence)
    return known.name if REGISTRY.get(known.name) == known else divergence


def _certificate(values: dict[str, Any]) -> Certificate:
    parts = {"radius": RadiusProof, "sameness": Sameness}
    made = {name: values[name] and kind(**values[name]) for name, kind in parts.items()}
    return Certificate(**values | made)


def _people_as_values(people: FittedPeople) -> dict[str, object]:
    """All of them but for what the parameters say and the distributions, which are an attribute."""
    groups = people.groups
    return {
        "X": people.distances.X,
        "parameters": people.distances.parameters,
        "compares_nobody": people.compares_nobody,
        "counted": people.counted,
        "groups": None if groups is None else (groups.names, groups.member),
        "rule": _rule_as_values(people),
    }


def _people_from(values: dict[str, Any], told: dict[str, Any]) -> FittedPeople:
    counted, groups, x = values["counted"], values["groups"], told["distributions_"]
    return FittedPeople(
        distances=Distances(values["X"], told["metric"], values["parameters"]),
        distributions=np.ascontiguousarray(x if counted is None else x[counted]),
        divergence=as_divergence(told["divergence"]),
        similarity=told["similarity"],
        bound_scale=told["bound_scale"],
        n_clusters=told["n_clusters"],
        n_neighbors=told["n_neighbors"],
        compares_nobody=values["compares_nobody"],
        groups=None if groups is None else Groups(*groups),
        counted=counted,
        rule=_rule_from(values["rule"], told["bound_scale"]),
    )


def _rule_as_values(people: FittedPeople) -> object:
    """What takes long to work out: the largest distance, or everybody's radius. Nothing where the
    similarity says nothing of others, or is of another kind.
    """
    if not isinstance(people.similarity, str) or people.compares_nobody:
        return None
    rule = people.rule_for_others()
    if isinstance(rule, GlobalRule):
        return {"global": rule.largest}  # its scale is part of it
    within = rule.rule if isinstance(rule, ScaledRule) else rule
    return {"local": (within.radius, within.n_inside)} if isinstance(within, LocalRule) else None


def _rule_from(kept: Any, scale: float) -> Rule | None:
    if kept is None:
        return None
    if "global" in kept:
        return GlobalRule(kept["global"])
    rule: Rule = LocalRule(*kept["local"])
    return rule if scale == 1 else rule.scaled(scale)
