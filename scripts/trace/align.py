# SPDX-License-Identifier: GPL-2.0
"""Aligns two traces of the same events of one CPU or task, the second within the first.

Each event calls two probes, the first trace's before the second's. An interrupt
between the two calls writes its own events into both traces. So the first trace
has the interrupted event before the interrupt's events, and the second trace has
it after them. The event is "open" from its write into the first trace to its
write into the second.

All events that follow an open event in the first trace, up to its write into the
second trace, were written by contexts that can interrupt it. Several events can
be open; they end in the reverse order of their beginning.

A call of one tracepoint may have two events, as that of sys_exit has its own and
sys_exit_read. All probes of the first trace come before those of the second, so both
events can be open; these two end in the order of their beginning.

The second trace is switched on and off while events are open:

on      The cut divides the first trace into the events before and after the time
        when the second trace was switched on. The second trace may have any of
        the events that were open at the cut, and no other event before the cut.
        Any number of events can lie between an open event and the cut: those of
        the interrupts that ended before the cut.
off     Events that are open at the end of the second trace may be missing.

Each other event of the first trace, up to the last of the second, must be in
the second trace.
"""

import itertools

# Bits of common_flags (the kernel's enum trace_flag_type).
FLAG_IRQS_OFF = 0x01
FLAG_HARDIRQ = 0x08
FLAG_SOFTIRQ = 0x10
FLAG_NMI = 0x40

# Task, softirq, interrupt and NMI, each with a way in and out.
NESTING_MAX = 8


def depth(flags):
    """Rank of a context; one of a higher rank can interrupt it"""
    if flags & FLAG_NMI:
        return 3
    if flags & FLAG_HARDIRQ:
        return 2
    if flags & FLAG_SOFTIRQ:
        return 1
    return 0


def interrupts(inner, outer):
    """Can a context with the flags `inner` have interrupted `outer`?"""
    if depth(inner) == 3:
        return depth(outer) < 3
    if outer & FLAG_IRQS_OFF:
        return False
    if depth(inner) > depth(outer):
        return True
    # On its way in and out an interrupt handler is not yet, or no longer,
    # counted as one, but interrupts are off.
    return bool(inner & FLAG_IRQS_OFF)


class Traces:
    """Two traces: keys that are equal for equal events, and flags

    calls: by index of the first trace, what the events of one call of a tracepoint have
           in common, or None for an event that has its call for itself
    """

    def __init__(self, first_keys, first_flags, second_keys, calls):
        self.first = first_keys
        self.flags = first_flags
        self.second = second_keys
        self.calls = calls

    def interrupts(self, inner, outer):
        """The same for two indexes of the first trace"""
        return interrupts(self.flags[inner], self.flags[outer])

    def together(self, one, other):
        """May two indexes of the first trace be events of one call of a tracepoint?"""
        return self.calls[one] is not None and self.calls[one] == self.calls[other]

    def follows(self, later, index):
        """Can an event follow another one that is open?"""
        return self.interrupts(later, index) or self.together(later, index)

    def before_in_call(self, index):
        """The event of the same call before that one, or None"""
        for before in range(index - 1, -1, -1):
            if self.together(before, index):
                return before
            if not self.interrupts(before, index):
                break
        return None

    def open_at(self, cut):
        """Events before the cut that may be open there, the outermost first"""
        found = []
        # One event of each context is enough to try the others with.
        inner = {}
        for index in range(cut - 1, -1, -1):
            flags = self.flags[index]
            if all(interrupts(other, flags) for other in inner):
                found.append(index)
            inner[flags & (FLAG_IRQS_OFF | FLAG_HARDIRQ | FLAG_SOFTIRQ |
                           FLAG_NMI)] = True
            if 0 in inner:
                # Nothing is interrupted by a task with interrupts on.
                break
        before = self.before_in_call(found[-1]) if found else None
        if before is not None:
            found.append(before)
        return found[::-1]

    def next_late(self, late):
        """Place in `late` of the event that ends next: of a call's events the first"""
        place = len(late) - 1
        while place > 0 and self.together(late[place - 1], late[place]):
            place -= 1
        return place

    def walk(self, cut, late):
        """Aligns the second trace's events

        `late` are events of the first trace that the second one has not had
        yet, each of them interrupted by those behind it. An event is told from
        the ones that interrupted it by its flags: a context does not interrupt
        itself, so there is no choice here. Returns pairs (index in the first trace,
        is it late?) of the second's events, up to one that does not fit.
        """
        pairs = []
        i = cut
        for key in self.second:
            while True:
                place = self.next_late(late)
                if late and self.first[late[place]] == key:
                    index = late.pop(place)
                    break
                if i >= len(self.first):
                    return pairs
                i += 1
                if self.first[i - 1] == key:
                    index = i - 1
                    break
                late.append(i - 1)
                if len(late) > NESTING_MAX:
                    return pairs
            if not all(self.follows(index, outer) for outer in late):
                return pairs
            pairs.append((index, index < i - 1))
        return pairs

    def choices(self, cut):
        """Each choice of the events that are open at a cut"""
        inside = self.open_at(cut)
        for size in range(len(inside) + 1):
            yield from itertools.combinations(inside, size)
