"""What is kept on workers, and how it comes there again when workers are lost with it."""

import pickle
from collections.abc import Sequence
from typing import TypeVar

import cloudpickle
from distributed import Client

from likewise.compute.executor import Placed
from likewise.errors import InvalidArgument

Value = TypeVar("Value")
Value_co = TypeVar("Value_co", covariant=True)

SMALL = 50_000  # bytes that travel with a task rather than before it


class Sent(Placed[Value_co]):
    """Values that work needs, kept on workers: each on one of them, or all of them everywhere.

    The originals stay here. A worker that dies takes its copies with it; then they are sent again.
    """

    def __init__(self, values: Sequence[Value_co], everywhere: bool = False) -> None:
        super().__init__(values)
        self.everywhere = everywhere
        self._sent: list[object] | None = None

    @staticmethod
    def parts(placed: Placed[Value]) -> "Sent[Value]":
        """Parts that were scattered; those that were not sent before will be."""
        return placed if isinstance(placed, Sent) else Sent(placed.values)

    @staticmethod
    def value(value: object) -> "Sent[object]":
        """A value that was broadcast, or any other, which will be."""
        if isinstance(value, Sent):
            return value
        return Sent(value.values if isinstance(value, Placed) else [value], everywhere=True)

    def on(self, client: Client) -> list[object]:
        """What to pass to tasks in place of the values: futures, or small values themselves."""
        if self._sent is None:
            sent: list[object] = list(self.values)
            large = [i for i, value in enumerate(sent) if size_of(value) > SMALL]
            if large:
                # hash=False: equal values of different calls are different things, one may be gone
                values = [sent[i] for i in large]
                futures = client.scatter(values, broadcast=self.everywhere, hash=False)
                for i, future in zip(large, futures, strict=True):
                    sent[i] = future
            self._sent = sent
        return self._sent

    def forget(self) -> None:
        """Whatever was sent may be lost: send it again when it is wanted."""
        self._sent = None


def size_of(value: object) -> int:
    """Bytes of a value when it travels; arrays inside it are not copied to find out."""
    buffers: list[pickle.PickleBuffer] = []
    try:
        head = cloudpickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise InvalidArgument(
            "engine",
            f"something that workers need cannot be sent to them ({error}).",
            "Use a metric, similarity or divergence made of plain functions, or engine='local'.",
        ) from error
    return len(head) + sum(buffer.raw().nbytes for buffer in buffers)
