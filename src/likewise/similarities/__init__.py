"""From the data to the pairs: who counts as similar to whom, and how similar.

====================  =======================================================================
``"global"`` (F1)     F(i, j) = d(i, j) / (largest distance in the data)
``"local"`` (F2)      F(i, j) = min(1, d(i, j) / r_i), r_i the radius of the smallest ball round
                      i that holds floor(n / k) other points
a callable            f(x_i, x_j) -> bound; or f(A, B) -> the table of bounds between the rows of
                      A and B (faster); or f(X) -> a matrix or ``Pairs``
a matrix              bound[i, j]; in a sparse one only the stored entries are constrained
``Pairs``             exactly those pairs
====================  =======================================================================

``n_neighbors=m`` keeps of them the pairs (i, j) with j among the m nearest neighbours of i; ties
at the m-th distance are all kept, because fairness must not depend on the order of the rows.
"""
