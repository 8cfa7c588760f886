"""From a table with columns of all kinds to points: what was done to each column is kept.

A number v becomes (v - mean) / spread, with spread 1 for a constant column; text and yes/no become
one column of 0 and 1 for each value. Columns that name rows instead of measuring them are left out
unless somebody asks for them.

=============  =============================================================================
``columns``    what became of a column, and how its values are turned into numbers
``dates``      dates as numbers of days
``doubts``     text that seems to be meant as numbers
``summaries``  what there is to know about a column; of blocks, joined
``keys``       how ids, postcodes and the like are told
``plan``       from what users say and the summaries to what becomes of each column
``prepare``    all of it for a table in memory
=============  =============================================================================
"""

from likewise.io.preparation.columns import Column, LeftOut, as_text
from likewise.io.preparation.keys import is_named_like_a_key
from likewise.io.preparation.plan import Wanted, check_columns
from likewise.io.preparation.prepare import Prepared, encode, prepare, prepared_as
from likewise.io.preparation.summaries import Summary

__all__ = [
    "Column",
    "LeftOut",
    "Prepared",
    "Summary",
    "Wanted",
    "as_text",
    "check_columns",
    "encode",
    "is_named_like_a_key",
    "prepare",
    "prepared_as",
]
