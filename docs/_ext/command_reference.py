"""``{command-reference}``: every command, its arguments and options, from the program itself."""

import typer.main
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from likewise.cli.app import app as program


class CommandReference(Directive):
    """A section for each command: what it does, how it is called, its options in a table."""

    def run(self) -> list[nodes.Node]:
        group = typer.main.get_command(program)
        above = group.context_class(group, info_name="likewise")
        return [_section(name, command, above) for name, command in group.commands.items()]


def _section(name: str, command: object, above: object) -> nodes.section:
    """``command`` and ``above`` are typer's, or click's where typer stands on it: both know how to
    describe themselves.
    """
    context = command.context_class(command, info_name=name, parent=above)
    section = nodes.section(ids=[f"likewise-{name}"], names=[f"likewise-{name}"])
    section += nodes.title("", f"likewise {name}")
    usage = " ".join(command.get_usage(context).removeprefix("Usage:").split())
    section += nodes.literal_block(usage, usage, language="text")
    for paragraph in (command.help or "").split("\n\n"):
        section += _text(" ".join(paragraph.split()))
    described = [each.get_help_record(context) for each in command.params]
    section += _table([each for each in described if each is not None])
    return section


def _text(text: str) -> nodes.paragraph:
    """A paragraph; what stands between backticks is code."""
    paragraph = nodes.paragraph()
    for place, part in enumerate(text.split("`")):
        paragraph += nodes.literal("", part) if place % 2 else nodes.Text(part)
    return paragraph


def _table(rows: list[tuple[str, str]]) -> nodes.table:
    group = nodes.tgroup(cols=2)
    group += [nodes.colspec(colwidth=2), nodes.colspec(colwidth=3)]
    head = nodes.thead()
    head += _table_row([nodes.paragraph("", "argument"), nodes.paragraph("", "meaning")])
    body = nodes.tbody()
    for name, meaning in rows:
        called = nodes.paragraph()
        called += nodes.literal("", " ".join(name.split()))
        body += _table_row([called, _text(" ".join(meaning.split()))])
    group += [head, body]
    table = nodes.table()
    table += group
    return table


def _table_row(cells: list[nodes.paragraph]) -> nodes.row:
    row = nodes.row()
    for cell in cells:
        entry = nodes.entry()
        entry += cell
        row += entry
    return row


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("command-reference", CommandReference)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
