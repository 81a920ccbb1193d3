#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Copies a trace without some of its packets, as if they had been overwritten before they were read.

usage: cut-packets.py TRACE COPY SEED [PERCENT]

By default 1 % of the packets, at least one, are left out at random, and counted as lost.
"""

import os
import random
import re
import shutil
import sys

import tring_packets


def cut(path, out, short_ids):
    """Leaves out packets of a stream. Returns the number of their events."""
    with open(path, "rb") as file:
        data = file.read()
    lost = 0
    with open(path, "wb") as file:
        for at, packet in enumerate(tring_packets.packets(data, path)):
            if at in out:
                lost += sum(not record.discarded for record in
                            tring_packets.records(data, packet, short_ids, path))
            else:
                file.write(data[packet.start:packet.start + packet.size])
    return lost


def count(path, lost):
    """Counts events as overwritten instead of read."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    for name, change in ("read", -lost), ("overwritten", lost):
        text = re.sub(rf"^{name}: (\d+)$",
                      lambda found, name=name, change=change:
                      f"{name}: {int(found[1]) + change}", text, flags=re.MULTILINE)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def main():
    """Copies and cuts"""
    trace, copy, seed = sys.argv[1:4]
    percent = float(sys.argv[4]) if len(sys.argv) > 4 else 1
    shutil.copytree(trace, copy)
    short_ids = tring_packets.short_ids_of(copy)
    packets = []
    for name in sorted(os.listdir(copy)):
        if name.startswith("cpu"):
            path = os.path.join(copy, name)
            with open(path, "rb") as file:
                data = file.read()
            packets += [(name, at) for at, _ in enumerate(tring_packets.packets(data, path))]
    out = random.Random(int(seed)).sample(packets, max(1, round(len(packets) * percent / 100)))
    for name in {name for name, _ in out}:
        lost = cut(os.path.join(copy, name), {at for one, at in out if one == name}, short_ids)
        count(os.path.join(copy, "tring", name + ".end"), lost)


main()
