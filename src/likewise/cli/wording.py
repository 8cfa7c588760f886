"""The library speaks of arguments, people at a terminal have options: messages in their words.

What stands in quotes is a value of theirs and stays as it is.
"""

import re

OPTIONS = {
    "X": "FILE",
    "bound_scale": "--bound-scale",
    "checkpoint": "--checkpoint",
    "categorical": "--categorical",
    "columns": "--features",
    "data": "--data",
    "data_home": "--data",
    "datasets": "--datasets",
    "decimal": "--decimal",
    "distributions": "--probabilities",
    "divergence": "--divergence",
    "encoding": "--encoding",
    "engine": "--dask",
    "exclude": "--exclude",
    "features": "--features",
    "group_tolerance": "--group-tolerance",
    "max_refine": "--max-refine",
    "max_time": "--max-time",
    "metric": "--metric",
    "n_clusters": "--clusters",
    "n_neighbors": "--n-neighbors",
    "out": "--out",
    "p": "--p",
    "random_state": "--seed",
    "sample_weight": "--weight",
    "sensitive_features": "--protected",
    "similarity": "--similarity",
    "solver": "--solver",
    "source": "FOLDER",
    "thousands": "--thousands",
    "tol": "--tol",
}
# what is said in whole phrases
PHRASES = {
    r"fit got no sensitive_features": "no protected columns are named",
    r"Pass fit\(X, sensitive_features=\.\.\.\)": "Name them with --protected",
    r"Pass an \(n, k\) array of probabilities, or one label \(0, 1, 2, \.\.\.\) a row": (
        "Name one column of probabilities for each cluster"
    ),
    r"\(for example with StandardScaler\)": "(without --no-scale)",
    r"set n_neighbors=None": "leave --n-neighbors out",
    r"engine='local'": "leave --dask out",
    r"likewise\.cluster_blocks": "`likewise hard`",
    r"data_home=": "--data",
    r"n_samples=": "",
}
# names that are no words of English: they are arguments wherever they stand
_ANYWHERE = "|".join(sorted((name for name in OPTIONS if "_" in name or name == "tol"), key=len))
_NAMES = "|".join(OPTIONS)
_ALONE = r"(?<![\w/.\-])(?:{})(?![\w/\-\[])"  # no part of a longer name or of a path
_PATTERN = re.compile(
    "|".join(
        [
            *(f"(?P<phrase{number}>{phrase})" for number, phrase in enumerate(PHRASES)),
            rf"\b(?P<name>{_NAMES})=(?:'(?P<quoted>[^']*)'|(?P<plain>[\w.+-]*\w))",
            r"(?P<value>(?<!\w)'[^']*'(?!\w)|\"[^\"]*\")",
            f"(?P<anywhere>{_ALONE.format(_ANYWHERE)})",
            f"(?P<table>{_ALONE.format('X')})",
        ]
    )
)
_BEGINNING = re.compile(rf"(?P<name>{_NAMES}): ")


def in_options(message: str) -> str:
    """A message of the library, in the words of the command line."""
    begins = _BEGINNING.match(message)
    if begins is None:
        return _PATTERN.sub(_translated, message)
    rest = message[begins.end() :]
    return f"{OPTIONS[begins['name']]}: {_PATTERN.sub(_translated, rest)}"


def _translated(found: re.Match[str]) -> str:
    kind = found.lastgroup or ""
    if kind.startswith("phrase"):
        return list(PHRASES.values())[int(kind.removeprefix("phrase"))]
    if kind in ("quoted", "plain", "name"):
        return f"{OPTIONS[found['name']]} {found['quoted'] or found['plain']}"
    if kind == "table":
        return "the table"
    return OPTIONS[found[0]] if kind == "anywhere" else found[0]
