"""``LikewiseClustering``: the scikit-learn clusterer on top of everything else.

``clusterer`` has the class, its parameters and ``fit``; ``results`` what a fit leaves behind;
``persistence`` a fitted model in a file.
"""

from likewise.estimator.clusterer import LikewiseClustering

__all__ = ["LikewiseClustering"]
