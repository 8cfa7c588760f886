"""Pickled models say which version wrote them."""

import warnings

from likewise import __version__

_KEY = "_likewise_version"


class VersionWarning(UserWarning):
    """A model was written by another version of likewise: its parts may not mean the same."""


class KnowsItsVersion:
    """Objects that, unpickled by another version, say so."""

    def __getstate__(self) -> dict[str, object]:
        state = super().__getstate__()
        assert isinstance(state, dict)  # of an estimator: its attributes by name
        return state | {_KEY: __version__}

    def __setstate__(self, state: dict[str, object]) -> None:
        version = state.get(_KEY, "0.1.0 or older")
        if version != __version__:
            warnings.warn(
                f"This {type(self).__name__} was written by likewise {version}, this is"
                f" {__version__}. Fit it again, or install likewise {version}.",
                VersionWarning,
                stacklevel=2,
            )
        parent = super()
        assert hasattr(parent, "__setstate__")  # scikit-learn's
        parent.__setstate__({key: value for key, value in state.items() if key != _KEY})
