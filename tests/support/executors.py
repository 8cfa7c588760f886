"""An executor that cuts work into parts, in this process: what a cluster does, without one."""

from likewise.compute.executor import LocalExecutor


class InParts(LocalExecutor):
    """This number of parts, and of tiles on each side, whatever the work."""

    def __init__(self, count):
        self.count = count

    def __repr__(self):
        return f"InParts({self.count})"

    def parts(self, pairs):
        return self.count

    def tiles(self, pairs):
        return self.count
