"""What goes wrong outside: kills, full disks, no memory, damaged files. And what must hold then.

    python -m tests.faults                 # everything, some 30 minutes
    python -m tests.faults --kills 20      # fewer kills
    python -m tests.faults kills storage   # some of the kinds

Every command is a process of its own, as people start it. The promises: old results untouched, no
half-written ones, no litter, a message that says what to do, an exit code that tells; and a run
that is started again after a kill ends with the very answer of one that was left alone.
"""
