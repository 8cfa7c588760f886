"""What commands show: for people, for machines, or nothing."""

import json
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from likewise._typing import ShowProgress
from likewise.cli import errors as failures
from likewise.cli.wording import in_options


def show_warnings_as_notes() -> None:
    """Warnings as lines for people: what is said, not from which line of which file."""

    def show(message: Warning | str, *where: object, **more: object) -> None:
        if not failures.as_json:
            Console(stderr=True, highlight=False, soft_wrap=True).print(
                Text(in_options(str(message)), style="dim")
            )

    warnings.showwarning = show


@contextmanager
def caught_warnings() -> Iterator[list[str]]:
    """What is warned of meanwhile, each message once, to be told in the command's own way: the list
    is full at the end.
    """
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield messages
    messages += sorted({in_options(str(each.message)) for each in caught})


class _Meanwhile(ProgressColumn):
    """What is done besides, in a few words."""

    def __init__(self) -> None:
        super().__init__()
        self._words = ""

    def say(self, words: str) -> None:
        """From now on these; none: it is over."""
        self._words = words

    def render(self, task: Task) -> Text:
        return Text(self._words, style="dim")


@dataclass
class Output:
    """Results on standard output, everything else on standard error."""

    json: bool = False
    quiet: bool = False
    _out: Console = field(default_factory=lambda: Console(highlight=False, soft_wrap=True))
    _err: Console = field(
        default_factory=lambda: Console(stderr=True, highlight=False, soft_wrap=True)
    )

    def __post_init__(self) -> None:
        failures.as_json = self.json

    @property
    def silent(self) -> bool:
        """Whether people are shown nothing."""
        return self.json or self.quiet

    def say(self, text: str = "", style: str = "") -> None:
        """A line for people; values from files are never read as markup."""
        if not self.silent:
            self._out.print(Text(text, style=style))

    def show(self, renderable: RenderableType) -> None:
        """A table or the like, for people."""
        if not self.silent:
            self._out.print(renderable)

    def note(self, text: str) -> None:
        """Something to know that is no result."""
        if not self.silent:
            self._err.print(Text(text, style="dim"))

    def result(self, values: Mapping[str, object]) -> None:
        """The result, for machines."""
        if self.json:
            from likewise.io.json_values import plain

            print(json.dumps(plain(values), indent=2, allow_nan=False))

    @property
    def verbosity(self) -> int:
        """What the library's ``verbose`` is to be."""
        return 0 if self.silent else 1

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """A spinner with the time, while something of unknown length goes on."""
        with self._passing() as progress:
            progress.add_task(what, total=None)
            yield

    @contextmanager
    def stages(self) -> Iterator[ShowProgress]:
        """A bar for something that goes on in stages. What it yields is told each stage and its
        number of steps, and answers with a function to be called after each step.
        """
        with self._passing(BarColumn()) as progress:

            def stage(what: str, steps: int | None) -> Callable[[], None]:
                for done in progress.task_ids:
                    progress.remove_task(done)
                return partial(progress.advance, progress.add_task(what, total=steps))

            yield stage

    @contextmanager
    def _passing(self, *more: ProgressColumn) -> Iterator[Progress]:
        """Shown while it lasts, to people who sit before a terminal."""
        if self.silent or not self._err.is_terminal:
            yield Progress(disable=True)
            return
        from likewise.compute.compiling import told_of_compiling

        meanwhile = _Meanwhile()
        shown = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            *more,
            TimeElapsedColumn(),
            meanwhile,
            console=self._err,
            transient=True,
        )
        with told_of_compiling(meanwhile.say), shown as progress:
            yield progress

    def counter(self, what: str) -> Progress:
        """A bar that counts what is done of how much there is."""
        return Progress(
            TextColumn(what),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.description}"),
            console=self._err,
            disable=self.silent,
        )
