"""One function over all blocks of the data, read by the workers: a pass."""

from typing import Any

import numpy as np

from likewise._typing import Array
from likewise.distributed.executor import DaskEngine
from likewise.distributed.sources import Block, Reader


class Passes:
    """Runs functions of a block's rows, and counts how often the data was read."""

    def __init__(self, client: Any, blocks: list[Block], verbose: int = 0) -> None:
        self.engine = DaskEngine(client, least_pairs=0, verbose=verbose)
        self.client = client
        self.blocks = blocks
        self.count = 0

    def without_empty_blocks(self, rows: list[int]) -> Array:
        """Leaves out blocks that have no rows; how many the others have."""
        sizes = np.array(rows, dtype=np.int64)
        self.blocks = [block for block, size in zip(self.blocks, sizes, strict=True) if size]
        return sizes[sizes > 0]

    def over(self, work: Any, *values: Any, own: list[tuple] | None = None) -> list[Any]:
        """work(rows, *values, *own) for each block, in order; ``own`` is each block's."""
        self.count += 1
        owns = own or [()] * len(self.blocks)

        def submit(which: list[int]) -> list[Any]:
            return [self._submit(self.blocks[i], work, *values, *owns[i]) for i in which]

        return self.engine.all_of(submit, len(self.blocks), [], work.__name__)

    def _submit(self, block: Block, *arguments: Any) -> Any:
        given = None if block.wanted is None else self.client.compute(block.wanted)
        return self.client.submit(_read_and_work, block.reader, given, *arguments, pure=False)

    def on(self, block: int, work: Any, *values: Any) -> Any:
        """work(rows, *values) of one block."""
        only = Passes(self.client, [self.blocks[block]])
        return only.over(work, *values)[0]


def _read_and_work(reader: Reader, given: Any, work: Any, *values: Any) -> Any:
    return work(reader.read(given), *values)
