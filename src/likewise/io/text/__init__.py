"""Tables as text: how a file is written is found out, and said.

=============  ==================================================================================
``opening``    plain and gzip files as text, in the encoding that they are in
``dialect``    encoding, separator and marks of numbers, told by the file itself
``records``    record by record with the numbers of the lines: for ragged files, and by blocks
=============  ==================================================================================
"""

from likewise.io.text.dialect import Dialect, sniff
from likewise.io.text.opening import as_utf8, is_plain_utf8
from likewise.io.text.records import check_not_ragged, record_blocks

__all__ = [
    "Dialect",
    "as_utf8",
    "check_not_ragged",
    "is_plain_utf8",
    "record_blocks",
    "sniff",
]
