"""``LikewiseClustering``: the scikit-learn clusterer on top of everything else.

``clusterer`` has the class, its parameters and ``fit``; ``results`` what a fit leaves behind;
``transforming`` distances and scores, ``persistence`` a fitted model in a file, ``html`` one in a
notebook.
"""

from likewise.estimator.clusterer import LikewiseClustering

__all__ = ["LikewiseClustering"]
