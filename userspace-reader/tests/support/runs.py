# SPDX-License-Identifier: GPL-2.0
"""When tasks had CPUs, for the programs that compute what tring tells by other means.

An event has a time, a cpu, a pid and a name, its place "at" among all, "irqs_off", and number() for
a field; a trace has its events, its end and is_lost().
"""


class Run:
    """A time in which a task runs on a CPU."""

    def __init__(self, pid, event, switched):
        # a switch that has begun it is not done before the first event of another task
        self.leaving = event.pid if switched else None
        self.pid, self.cpu, self.start, self.seen = pid, event.cpu, event.time, event
        self.switched = switched    # a switch has begun it
        self.switch = None          # the switch that has ended it
        self.end = None
        self.first = event.at
        self.found = None           # the event that told that the run had ended before

    def stop_unseen(self, event):
        """Ends the run with the last event of its task."""
        self.end, self.found = self.seen.time, event.at


def find_runs(trace):
    """All runs of all tasks."""
    runs, now = [], {}

    def begin(pid, event, switched):
        for other in list(now.values()):
            if other.pid == pid and pid:
                other.stop_unseen(event)
                del now[other.cpu]
        now[event.cpu] = Run(pid, event, switched)
        runs.append(now[event.cpu])

    for event in trace.events:
        run = now.get(event.cpu)
        if run and trace.is_lost(event.cpu, run.seen.time, event.time):
            run.end, run = run.seen.time, None
        elif (run and event.pid == run.leaving and event.irqs_off and
              event.name != 'sched_switch'):
            continue
        elif run and run.pid != event.pid:
            run.stop_unseen(event)
            run = None
        if not run:
            now.pop(event.cpu, None)
            begin(event.pid, event, False)
            run = now[event.cpu]
        run.seen, run.leaving = event, None
        if event.name == 'sched_switch':
            run.end, run.switch = event.time, event
            del now[event.cpu]
            begin(event.number('next_pid'), event, True)
    for run in now.values():
        lost = trace.is_lost(run.cpu, run.seen.time, trace.end + 1)
        run.end = run.seen.time if lost else trace.end
    return runs
