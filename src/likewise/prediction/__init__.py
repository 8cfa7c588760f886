"""Points that were not fitted: the out-of-sample extension of a fair clustering.

``out_of_sample`` knows how alike a new point is to the fitted ones, ``solve`` finds the cheapest
distribution that is fair to them (``kernels``: by a small simplex; ``cuts``: by cutting planes),
and ``predictor`` has the estimator's methods.
"""
