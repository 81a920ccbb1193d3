#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts the bytes of an event, and what they are used for.

usage: bytes.py TRING DIR

TRING is the program. DIR has a folder for each recording, which contains
"ftrace" (data of each CPU's trace_pipe_raw), "trace" (a directory of "tring
record") and perhaps "lttng". Prints a line of words "key=value" for each tracer:

bytes   bytes of the recording, without unused space in sub-buffers
header  bytes of it that are no field of an event: headers of packets and
        records, with id, flags and pid, full timestamps, lengths, padding
full    events with a full timestamp, because the time since the previous event
        was too long for a short one

ftrace's pages and LTTng's packets are decoded here; "tring dump" decodes tring's.
"""

import glob
import os
import re
import struct
import subprocess
import sys

PAGE_SIZE = 4096
PAGE_HEADER = 16
# Common fields of ftrace's payloads: id, flags, preempt count and pid.
ENTRY = 8
CTF_MAGIC = 0xC1FC1FC1
# Header of LTTng's packets: magic, uuid, stream, instance, begin, end, content and
# packet size in bits, number, events lost, CPU.
LTTNG_HEADER = struct.Struct("<I16sIQQQQQQQI")


class Account:
    """The bytes that a tracer has recorded in a window of time"""

    def __init__(self, tracer, window=(0, 1 << 64)):
        self.tracer = tracer
        self.window = window
        self.first, self.last = 1 << 64, 0
        self.events = self.bytes = self.fields = self.full = 0
        self.packets = 0
        self.known = True

    def add(self, stamp, size, fields, full):
        """Counts a record if it is in the window"""
        if not self.window[0] <= stamp <= self.window[1]:
            return False
        self.first = min(self.first, stamp)
        self.last = max(self.last, stamp)
        self.events += 1
        self.bytes += size
        self.fields += fields
        self.full += full
        return True

    def add_packet(self, header, records):
        """Counts a packet whose records may be in the window"""
        if sum([self.add(*record) for record in records]):
            self.bytes += header
            self.packets += 1

    def line(self, what):
        """A line like those of the benchmark in the kernel"""
        words = [f"bytes tracer={self.tracer} what={what} events={self.events}",
                 f"bytes={self.bytes} packets={self.packets}",
                 f"per_event={self.bytes / self.events:.2f}"]
        if self.known:
            header = self.bytes - self.fields
            words.append(f"header_per_event={header / self.events:.2f}")
            words.append(f"header_percent={100 * header / self.bytes:.2f}")
            words.append(f"full_percent={100 * self.full / self.events:.2f}")
        return " ".join(words)


def ftrace_records(data, start):
    """A page -> its records; see the kernel's header_page and header_event"""
    stamp, commit = struct.unpack_from("<QQ", data, start)
    at = start + PAGE_HEADER
    end = at + (commit & 0xfffff)
    records, begin, full = [], at, False
    while at < end:
        word, = struct.unpack_from("<I", data, at)
        kind, delta = word & 31, word >> 5
        if kind in (30, 31):
            high, = struct.unpack_from("<I", data, at + 4)
            value = (high << 27) + delta
            stamp = stamp + value if kind == 30 else stamp >> 59 << 59 | value
            at += 8
            full = True
            continue
        if kind == 29:
            length, = struct.unpack_from("<I", data, at + 4)
            at += 4 + length if delta else end - at
            stamp += delta
            continue
        length, = struct.unpack_from("<I", data, at + 4)
        payload = 4 * kind if kind else length - 4
        at += (4 if kind else 8) + payload
        stamp += delta
        records.append((stamp, at - begin, payload - ENTRY, full))
        begin, full = at, False
    return records


def count_ftrace(directory, window):
    """The pages of all CPUs"""
    account = Account("ftrace", window)
    for path in glob.glob(os.path.join(directory, "cpu*.raw")):
        with open(path, "rb") as file:
            data = file.read()
        for start in range(0, len(data), PAGE_SIZE):
            account.add_packet(PAGE_HEADER, ftrace_records(data, start))
    return account


def tring_packets(program, path):
    """A CPU's packets -> (content size, [(place, stamp, fields, full)])"""
    with subprocess.Popen([program, "dump", path], text=True,
                          stdout=subprocess.PIPE) as dump:
        start, content, records = 0, 0, []
        for line in dump.stdout:
            if line.startswith("packet at"):
                if records:
                    yield content, records
                start, records = int(line.split()[2].rstrip(":"), 16), []
            elif line.startswith("  content_size"):
                content = int(line.split()[1])
            elif line.startswith("  record at"):
                place = int(line.split()[2].rstrip(":"), 16) - start
                records.append((
                    place, int(re.search(r"stamp .*?(0x[0-9a-f]+)",
                                         line).group(1), 16),
                    int(re.search(r"length (\d+)", line).group(1)),
                    ": extended" in line))
        if records:
            yield content, records
    if dump.returncode:
        sys.exit(f"tring dump {path} failed")


def count_tring(tracer, program, directory, window):
    """The packets of all CPUs; a record ends where the next one begins"""
    account = Account(tracer, window)
    for path in glob.glob(os.path.join(directory, "cpu[0-9]*")):
        for content, records in tring_packets(program, path):
            ends = [record[0] for record in records[1:]] + [content]
            account.add_packet(records[0][0],
                               [(stamp, end - place, fields, full)
                                for (place, stamp, fields, full), end
                                in zip(records, ends)])
    return account


def count_lttng(directory):
    """LTTng's packets; babeltrace2 gives the number and times of events"""
    account = Account("lttng")
    account.known = False
    traces = [root for root, _, files in os.walk(directory)
              if "metadata" in files]
    for path in [path for trace in traces
                 for path in glob.glob(os.path.join(trace, "channel_*"))]:
        with open(path, "rb") as file:
            data = file.read()
        start = 0
        while start < len(data):
            fields = LTTNG_HEADER.unpack_from(data, start)
            if fields[0] != CTF_MAGIC:
                sys.exit(f"{path}: no packet at {start}")
            if fields[9]:
                sys.exit(f"{path}: LTTng has lost {fields[9]} events")
            account.bytes += fields[6] // 8
            account.packets += 1
            start += fields[7] // 8
    said = subprocess.run(["babeltrace2", "--clock-cycles", *traces],
                          text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    stamps = [int(stamp) for stamp in re.findall(r"(?m)^\[(\d+)\]", said)]
    account.events = len(stamps)
    account.first, account.last = min(stamps), max(stamps)
    return account


def count_recording(program, recording):
    """The accounts of all tracers, in the window of the last one to be on

    LTTng was switched on last and off first; its packets are counted whole.
    Without LTTng, tring was switched on last and off first.
    """
    trace = os.path.join(recording, "trace")
    lttng = os.path.join(recording, "lttng")
    if os.path.isdir(lttng):
        inner = [count_lttng(lttng)]
        tring = count_tring("tring", program, trace,
                            (inner[0].first, inner[0].last))
    else:
        inner = []
        tring = count_tring("tring", program, trace, (0, 1 << 64))
    window = (tring.first, tring.last)
    return [tring, count_ftrace(os.path.join(recording, "ftrace"),
                                window)] + inner


def main():
    """All recordings"""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, directory = sys.argv[1:]
    for recording in sorted(glob.glob(os.path.join(directory, "*-lttng"))):
        what = os.path.basename(recording)
        accounts = count_recording(program, recording)
        for account in accounts:
            if not account.events:
                sys.exit(f"{recording}: {account.tracer} has no events")
            print(account.line(what))


if __name__ == "__main__":
    main()
