#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Flips one bit in what a crash has left of LTTng's rings, or of tring's, and counts events.

usage: flip-bits.py lttng DIR TRIALS SEED
       flip-bits.py tring IMAGE TRING ADDRESS TRIALS SEED

DIR has the shared memory of an LTTng session, and lttng-crash and babeltrace2 read it. IMAGE is
the memory at ADDRESS that had tring's rings, and TRING, the reader, salvages it. Both have texts
"cpu C marker N" that are numbered without a hole. Of each kind of damage there are TRIALS, each
of one bit in a packet in the middle of a ring that holds what was recorded last. For each kind a
row of a table tells events lost, the mean and the most of a trial; those that are shown but were
not recorded like that, at that time on that CPU; and in how many trials a message or a status
told of damage.
"""

import collections
import glob
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from tring_packets import BadInput, HEADER_SIZE, VARIES, read_packet, records

MARKER = re.compile(r"cpu (\d+) marker (\d+)")
TEXT = b"cpu "
PAGE = 4096

# lttng-ust, libringbuffer/ring_buffer_config.h: the crash ABI 0.0
CRASH_ABI = "<16sQHHHBB11I8B3IQQII"
# "struct event_header_large", and the packet's header and context, as in the metadata
LTTNG_HEADER = 84
LTTNG_RECORD = "<HI"
LTTNG_LONG = 0xffff
LTTNG_FULL_STAMP = "<IQ"


class Damage(collections.namedtuple("Damage", "path at first bits")):
    """A number in a file: its offset, and the bits that may be flipped"""

    def flip(self, chance):
        """Flips one of its bits"""
        bit = self.first + chance.randrange(self.bits)
        with open(self.path, "r+b") as file:
            file.seek(self.at + bit // 8)
            byte = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte ^ 1 << bit % 8]))


class Lttng:
    """What lttng-crash and babeltrace2 make of a session's shared memory"""

    def __init__(self, source):
        self.source = source

    def kinds(self, source, chance):
        """Places in a copy of the source, by kind of damage"""
        path = chance.choice(sorted(
            path for path in glob.glob(f"{source}/**/*", recursive=True)
            if os.path.isfile(path) and os.path.basename(path) != "metadata"))
        with open(path, "rb") as file:
            data = file.read()
        abi = struct.unpack_from(CRASH_ABI, data)
        offsets, strides, (_, size, count, mode) = abi[7:18], abi[26:29], abi[29:]
        if mode:
            sys.exit(f"{path}: not in overwrite mode")
        written, = struct.unpack_from("<Q", data, offsets[0])
        # one of the packets behind the oldest quarter and before the newest one
        position = written // size - chance.randrange(count // 4, count * 3 // 4)
        slot = position % count
        commits = offsets[2] + slot * strides[0] + offsets[3]
        table = offsets[4] + slot * strides[1] + offsets[5]
        index = struct.unpack_from("<Q", data, table)[0] & 0xffffffff
        pages, = struct.unpack_from("<Q", data, offsets[6] + index * strides[2] + offsets[7])
        start, = struct.unpack_from("<Q", data, pages + offsets[8])
        record = chance.choice(list(self.records(data, start)))
        places = {
            "record: its event": (record[0], 0, 16),
            "record: its time": (record[0] + 2, 0, 32),
            "record: length of the text": (record[1], 0, 16),
            "record: the text": (record[1] + 2, 0, 8 * record[2]),
            "record: the zero that ends a string": (record[3], 0, 8),
            "packet: magic number": (start, 0, 32),
            "packet: uuid": (start + 4, 0, 128),
            "packet: time of its first record": (start + 32, 0, 64),
            "packet: content_size": (start + 48, 0, 32),
            "packet: packet_size": (start + 56, 0, 32),
            "packet: CPU": (start + 80, 0, 32),
            "bytes committed in the sub-buffer": (commits, 0, 64),
            "sub-buffer that lies in the slot": (table, 0, 32),
            "the ring's description": (0, 0, 8 * struct.calcsize(CRASH_ABI)),
        }
        return {kind: Damage(path, *place) for kind, place in places.items()}

    @staticmethod
    def records(data, start):
        """(record, length of the text, the text's bytes, the string's end)"""
        content, = struct.unpack_from("<Q", data, start + 48)
        at, end = start + LTTNG_HEADER, start + content // 8
        while at < end:
            record = at
            kind, _ = struct.unpack_from(LTTNG_RECORD, data, at)
            at += 2
            at += struct.calcsize(LTTNG_FULL_STAMP) if kind == LTTNG_LONG else 4
            length, = struct.unpack_from("<H", data, at)
            zero = data.index(0, at + 2 + length)
            if kind != LTTNG_LONG:
                yield record, at, length, zero
            at = zero + 1

    @staticmethod
    def read(source, work):
        """Lines of all events, and what was said"""
        done = run("lttng-crash", f"--extract={work}/trace", source)
        said = done.stderr + done.stdout + status(done)
        # one trace a user
        traces = [os.path.dirname(path) for path in
                  glob.glob(f"{work}/trace/**/metadata", recursive=True)]
        lines = []
        if traces:
            done = run("babeltrace2", "--no-delta", *traces)
            lines = done.stdout.splitlines()
            said += done.stderr + status(done)
        return [line for line in lines if "{" in line], said


class Tring:
    """What tring salvage makes of memory that outlives the kernel"""

    def __init__(self, source, tring, address):
        self.source = source
        self.tring = tring
        self.address = address

    def kinds(self, source, chance):
        """Places in a copy of the source, by kind of damage"""
        with open(source, "rb") as file:
            data = file.read()
        memory = chance.choice(list(self.memories(data)))
        numbers = sorted(memory.packets)
        start, slot, description = memory.packets[
            chance.choice(numbers[len(numbers) // 4:len(numbers) * 3 // 4])]
        packet = read_packet(data, start, source)
        texts = [record for record in records(data, packet, {}, source)
                 if not record.discarded and packet.lengths[record.kind] == VARIES
                 and record.stamp_at is None and TEXT in data[record.fields:][:record.length]]
        record = chance.choice(texts)
        # print's fields: the caller's address, the text, a zero
        length = record.length - 9
        places = {
            "record: its event": (record.at, 0, 5),
            "record: its time": (record.at, 5, 27),
            "record: length of the text": (record.fields - 2, 0, 16),
            "record: the text": (record.fields + 8, 0, 8 * length),
            "record: the zero that ends a string": (record.fields + 8 + length, 0, 8),
            "packet: magic number": (start, 0, 32),
            "packet: uuid": (start + 4, 0, 128),
            "packet: time of its first record": (start + 64, 0, 64),
            "packet: content_size": (start + 80, 0, 32),
            "packet: packet_size": (start + 84, 0, 32),
            "packet: CPU": (start + 104, 0, 32),
            "bytes committed in the sub-buffer": (description + memory.commits, 0, 64),
            "sub-buffer that lies in the slot": (slot, 0, 64),
            "the ring's description": (memory.at, 0, 8 * memory.size),
        }
        return {kind: Damage(source, *place) for kind, place in places.items()}

    def memories(self, data):
        """The rings' memories, by uapi/tring_directory.h"""
        Memory = collections.namedtuple("Memory", "at size commits packets")
        for at in range(0, len(data), PAGE):
            magic, physical = struct.unpack_from("<QQ", data, at)
            if magic != MEMORY or physical != self.address + at:
                continue
            virtual, = struct.unpack_from("<Q", data, at + 16)
            size, = struct.unpack_from("<I", data, at + 36)
            (_, _, _, count, _, table, _, offset, subbufs, stride, commits, _,
             place) = struct.unpack_from("<QIIQQQQQQHHHH", data, at + 48)
            page, = struct.unpack_from("<Q", data, table - self.address + TABLE_PAGES)
            # in one piece, as all that is in such memory
            array = page - self.address + offset
            packets = {}
            for slot in range(array, array + 8 * count, 8):
                word, = struct.unpack_from("<Q", data, slot)
                description = array + subbufs + (word >> 2 & (1 << 23) - 1) * stride
                start, = struct.unpack_from("<Q", data, description + place)
                if word & 3 == 2:
                    packets[word >> 25] = (start - virtual + at, slot, description)
            yield Memory(at, size, commits, packets)

    def read(self, source, work):
        """Lines of all events, and what was said"""
        done = run(self.tring, "salvage", "--base", hex(self.address), source, "-o",
                   f"{work}/trace")
        said = "".join(line + "\n" for line in done.stderr.splitlines()) + status(done)
        if done.returncode and not os.path.exists(f"{work}/trace"):
            return [], said
        shown = run(self.tring, "report", f"{work}/trace")
        said += shown.stderr + status(shown)
        # without the task: behind damage it is unknown up to the next record that has one
        return [line[line.index("["):] for line in shown.stdout.splitlines() if "[" in line], said


# uapi/tring_directory.h
MEMORY = 0x8a7472694e674d01
TABLE_PAGES = 64


def run(*command):
    """Ends within a minute"""
    return subprocess.run(command, capture_output=True, text=True, errors="replace",
                          check=False, timeout=60)


def status(done):
    """A line for a status that is not 0"""
    return f"status {done.returncode}\n" if done.returncode else ""


def copy(source, target):
    """A file or a directory"""
    (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, target)


def check_whole(lines):
    """Prints how many events the undamaged rings have"""
    numbers = collections.defaultdict(list)
    for line in lines:
        found = MARKER.search(line)
        if found:
            numbers[int(found[1])].append(int(found[2]))
    for cpu, mine in sorted(numbers.items()):
        print(f"cpu {cpu}: markers {mine[0]} to {mine[-1]}")
        if mine != list(range(mine[0], mine[-1] + 1)):
            sys.exit("not without a hole")


def main():
    """Prints the table"""
    kind, source, *rest = sys.argv[1:]
    trials, seed = int(rest[-2]), int(rest[-1])
    peer = Lttng(source) if kind == "lttng" else Tring(source, rest[0], int(rest[1], 0))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as top:
        lines, usual = peer.read(source, top)
        usual = set(usual.splitlines())
        check_whole(lines)
        print(f"undamaged: {len(lines)} events")
        for line in sorted(usual):
            print(f"  {line}")
        whole = collections.Counter(lines)
        chance = random.Random(seed)
        for name in peer.kinds(source, random.Random(seed)):
            lost, others, told, examples = [], [], 0, collections.Counter()
            for _ in range(trials):
                work = tempfile.mkdtemp(dir=top)
                copy(source, f"{work}/source")
                peer.kinds(f"{work}/source", chance)[name].flip(chance)
                lines, said = peer.read(f"{work}/source", work)
                shown = collections.Counter(lines)
                lost.append(sum((whole - shown).values()))
                others.append(sum((shown - whole).values()))
                news = [line for line in said.splitlines() if line not in usual]
                told += bool(news)
                examples.update(re.sub(r"0x[\da-f]+|\d+", "N", line.replace(work, ""))[:100]
                                for line in news[:1])
                shutil.rmtree(work)
            print(f"| {name} | {sum(lost) / trials:,.1f} | {max(lost):,} | "
                  f"{sum(others) / trials:,.1f} | {max(others):,} | {told} of {trials} |",
                  flush=True)
            for line, times in examples.most_common(2):
                print(f"    {times} times: {line}")


if __name__ == "__main__":
    main()
