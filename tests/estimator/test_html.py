"""A model in a notebook."""

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context

from likewise import LikewiseClustering

X = np.random.default_rng(0).normal(size=(30, 2))


def test_before_and_after_a_fit():
    model = LikewiseClustering(3, random_state=0)
    before = model._repr_html_()
    assert "LikewiseClustering" in before
    assert "every bound kept" not in before
    after = model.fit(X)._repr_html_()
    for part in ("every bound kept", f"{model.price_:.3f} times", "870 ordered pairs", "#0072b2"):
        assert part in after
    assert model._repr_mimebundle_()["text/html"].endswith("</div>")


def test_text_where_text_is_asked_for():
    model = LikewiseClustering(3, random_state=0).fit(X)
    with config_context(display="text"):
        assert "text/html" not in model._repr_mimebundle_()
        with pytest.raises(AttributeError, match="display"):
            _ = model._repr_html_


def test_notes_are_shown_and_nothing_escapes():
    frame = pd.DataFrame(X, columns=["<script>a</script>", "b"])
    model = LikewiseClustering(2, similarity=np.full((30, 30), 1e-6)).fit(frame)
    page = model._repr_html_()
    assert "Nearly the same for everybody" in page
    assert "<script>a</script>" not in page
