# SPDX-License-Identifier: GPL-2.0
"""Decodes tring's packets and records by uapi/format.md, for scripts.

Shares no code with the reader in C, which some of the scripts check.
"""

import collections
import os
import struct

MAGIC = 0xC1FC1FC1
VERSION = 4
HEADER = "I16s32sB11sQQIIQQQ"
HEADER_SIZE = struct.calcsize("<" + HEADER)
VERSION_OFFSET = 52
CONTENT_SIZE_OFFSET = 80
STAMP_BITS = 27
STAMP_MASK = (1 << STAMP_BITS) - 1

SHORT_MAX = 28
DISCARDED, LONG, EXTENDED = 29, 30, 31
LONG_ID_BASE = 32
VARIES = 255
FIELDS_MIN = 4

IRQS_OFF = 0x01
HAS_PID = 0x02
NEED_RESCHED = 0x04
FLAGS = 0x1d
FULL = 0xe0
PREEMPT_SHIFT = 5
# The flags of ftrace that NEED_RESCHED stands for.
FLAGS_RESCHED = 0x24

Packet = collections.namedtuple(
    "Packet", "order start uuid cpu begin end content size sequence lost "
    "lengths")
# at, fields, stamp_at and pid_at are offsets in the data; the last two are None
# without a full timestamp or pid. id is None if short_ids does not have the type.
Record = collections.namedtuple(
    "Record", "at kind id stamp stamp_at context flags preempt_count pid "
    "pid_at fields length discarded")


class BadInput(Exception):
    """The input is malformed or incomplete."""


def read_short_ids(path):
    """The file short_ids -> {type: (id, length)}"""
    short_ids = {}
    with open(path, encoding="ascii") as file:
        for line in file:
            kind, number, _, length = line.split()
            if int(kind) in short_ids:
                raise BadInput(f"{path}: type {kind} twice")
            short_ids[int(kind)] = (int(number),
                                    VARIES if length == "-" else int(length))
    return short_ids


def short_ids_of(directory):
    """The short ids of a directory of tring record"""
    return read_short_ids(os.path.join(directory, "tring", "short_ids"))


def read_packet(data, start, where):
    """The header of the packet that begins there"""
    if len(data) - start < HEADER_SIZE:
        raise BadInput(f"{where}: packet header cut off")
    order = "<" if struct.unpack_from("<I", data, start)[0] == MAGIC else ">"
    (magic, uuid, lengths, version, _, begin, end, content, size, sequence,
     lost, cpu) = struct.unpack_from(order + HEADER, data, start)
    if magic != MAGIC:
        raise BadInput(f"{where}: no magic")
    if version != VERSION:
        raise BadInput(f"{where}: format version {version}, not {VERSION}")
    if content % 8 or size % 8 or not (
            HEADER_SIZE * 8 < content <= size <= (len(data) - start) * 8):
        raise BadInput(f"{where}: content_size {content}, packet_size {size}, "
                       f"{len(data) - start} bytes left")
    for kind in (0, DISCARDED, LONG, EXTENDED):
        if lengths[kind]:
            raise BadInput(f"{where}: a length for type {kind}")
    return Packet(order, start, uuid, cpu, begin, end, content // 8, size // 8,
                  sequence, lost, lengths)


class Walk:
    """A position in a packet's records"""

    def __init__(self, data, packet, short_ids, name):
        self.data = data
        self.packet = packet
        self.short_ids = short_ids
        self.name = name
        self.at = packet.start + HEADER_SIZE
        self.end = packet.start + packet.content
        self.stamp = packet.begin
        self.pid = None

    def take(self, form):
        """The next number"""
        size = struct.calcsize("<" + form)
        if self.at + size > self.end:
            raise BadInput(f"{self.name}+{self.at:#x}: record cut off")
        number, = struct.unpack_from(self.packet.order + form, self.data,
                                     self.at)
        self.at += size
        return number

    def take_word(self):
        """Type, and place of a full timestamp or None; sets the time"""
        word = self.take("I")
        if self.packet.order == "<":
            kind, low = word & 31, word >> 5
        else:
            kind, low = word >> STAMP_BITS, word & STAMP_MASK
        if kind == EXTENDED:
            at = self.at
            self.stamp = self.take("Q")
            if self.stamp & STAMP_MASK != low:
                raise BadInput(f"{self.name}+{at:#x}: two timestamps")
            return kind, at
        before, self.stamp = self.stamp, self.stamp & ~STAMP_MASK | low
        if self.stamp < before:
            self.stamp += STAMP_MASK + 1
        return kind, None

    def take_context(self):
        """context byte, flags, preempt count, place of the pid or None"""
        context = self.take("B")
        at = None
        if context & HAS_PID:
            at = self.at
            self.pid = self.take("i")
        if self.pid is None:
            raise BadInput(f"{self.name}+{self.at:#x}: no pid")
        if context >= FULL:
            if context != FULL | HAS_PID:
                raise BadInput(f"{self.name}+{self.at:#x}: full context "
                               f"{context:#x}")
            return context, self.take("B"), self.take("B"), at
        flags = context & FLAGS
        if context & NEED_RESCHED:
            flags |= FLAGS_RESCHED
        return context, flags, context >> PREEMPT_SHIFT, at

    def take_length(self, kind):
        """Length of the fields that follow"""
        if kind > SHORT_MAX:
            return self.take("I")
        length = self.packet.lengths[kind]
        return self.take("H") if length == VARIES else length

    def next(self):
        """The next record"""
        at = self.at
        kind, stamp_at = self.take_word()
        number = None
        if kind <= SHORT_MAX:
            if not self.packet.lengths[kind]:
                raise BadInput(f"{self.name}+{at:#x}: type {kind} is not in "
                               "use")
            number = self.short_ids.get(kind, (None,))[0]
        elif kind != DISCARDED:
            number = self.take("H")
            if number != DISCARDED and number <= LONG_ID_BASE:
                raise BadInput(f"{self.name}+{at:#x}: id {number}")
            number -= LONG_ID_BASE
        discarded = kind == DISCARDED or number == DISCARDED - LONG_ID_BASE
        context, flags, preempt_count, pid_at = self.take_context()
        length = self.take_length(kind)
        fields = self.at
        self.at += length
        if self.at > self.end or (length < FIELDS_MIN and not discarded):
            raise BadInput(f"{self.name}+{at:#x}: {length} bytes of fields, "
                           f"{self.end - fields} left")
        return Record(at, kind, None if discarded else number, self.stamp,
                      stamp_at, context, flags, preempt_count,
                      self.pid, pid_at, fields, length, discarded)


def records(data, packet, short_ids, name):
    """All records of a packet, discarded ones included"""
    walk = Walk(data, packet, short_ids, name)
    while walk.at < walk.end:
        yield walk.next()


def packets(data, name):
    """All packets of a stream"""
    start = 0
    while start < len(data):
        packet = read_packet(data, start, f"{name}+{start:#x}")
        yield packet
        start += packet.size
