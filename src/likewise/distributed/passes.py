"""One function over all blocks of the data, read by the workers: a pass."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from likewise._typing import Array
from likewise.distributed.sources import Block, Reader

if TYPE_CHECKING:
    from distributed import Client, Future

Result = TypeVar("Result")


class Passes:
    """Runs functions of a block's rows, and counts how often the data was read."""

    def __init__(self, client: "Client", blocks: list[Block], verbose: int = 0) -> None:
        from likewise.distributed.executor import DaskExecutor

        self.executor = DaskExecutor(client, least_pairs=0, verbose=verbose)
        self.client = client
        self.blocks = blocks
        self.count = 0

    def without_empty_blocks(self, rows: list[int]) -> Array:
        """Leaves out blocks that have no rows; how many the others have."""
        sizes = np.array(rows, dtype=np.int64)
        self.blocks = [block for block, size in zip(self.blocks, sizes, strict=True) if size]
        return sizes[sizes > 0]

    def map_blocks(
        self,
        work: Callable[..., Result],
        *values: object,
        own: list[tuple[object, ...]] | None = None,
    ) -> list[Result]:
        """work(rows, *values, *own) for each block, in order; ``own`` is each block's."""
        self.count += 1
        owns = own or [()] * len(self.blocks)

        def submit(which: list[int]) -> "list[Future[Result]]":
            return [self._submit(self.blocks[i], work, *values, *owns[i]) for i in which]

        return self.executor.results_of(submit, len(self.blocks), [], work.__name__)

    def _submit(
        self, block: Block, work: Callable[..., Result], *values: object
    ) -> "Future[Result]":
        given = None if block.wanted is None else self.client.compute(block.wanted)
        return self.client.submit(_read_and_work, block.reader, given, work, *values, pure=False)

    def on_block(self, number: int, work: Callable[..., Result], *values: object) -> Result:
        """work(rows, *values) of one block; not counted as a pass."""
        only = Passes(self.client, [self.blocks[number]])
        return only.map_blocks(work, *values)[0]


def _read_and_work(
    reader: Reader, given: object, work: Callable[..., Result], *values: object
) -> Result:
    return work(reader.read(given), *values)
