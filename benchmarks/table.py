"""Tables that read well on the screen and in Markdown alike."""


class Table:
    def __init__(self, title: str, columns: list[str]) -> None:
        self.title = title
        self.columns = columns
        self.rows: list[list[str]] = []
        self.notes: list[str] = []
        print(f"... {title}", flush=True)

    def add(self, *cells: object) -> None:
        self.rows.append([str(cell) for cell in cells])
        print("   ", " | ".join(self.rows[-1]), flush=True)

    def note(self, text: str) -> None:
        self.notes.append(text)

    def markdown(self) -> str:
        lines = [
            f"## {self.title}",
            "",
            "| " + " | ".join(self.columns) + " |",
            "|" + "---|" * len(self.columns),
            *("| " + " | ".join(row) + " |" for row in self.rows),
        ]
        for note in self.notes:
            lines += ["", note]
        return "\n".join(lines) + "\n"
