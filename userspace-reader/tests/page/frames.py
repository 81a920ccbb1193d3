#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Measures how long a page takes: until its first picture, and for each frame of a zoom and a drag.

usage: frames.py PAGE...

A frame is what the page's thread does from one picture to the next, in time of that thread, without
what other programs of the machine take from it.
"""

import os
import sys
import time

from browser import Browser

# How the picture moves in each frame; then it stands still until nothing is left to be unpacked.
# "load" is as far away as sums of single pieces are seen.
STEPS = """
const [kind] = arguments, next = () => new Promise(requestAnimationFrame);
for (let i = 0; i < 50; i++) {
    if (kind === "drag")
        pan(0.04);
    else
        zoom({in: 0.8, out: 1 / 0.8, load: i ? 1 : 0.65}[kind],
             trace.begin + (trace.end - trace.begin) * 0.43);
    await next();
}
do
    await next();
while (turns.length);
"""
# where it begins
STARTS = {"in": "", "out": "zoom(0.8 ** 50, trace.begin + (trace.end - trace.begin) * 0.43)",
          "drag": "zoom(0.05, trace.end / 2)", "load": ""}


def measure(path, kind):
    """Opens a page, and measures frames of one kind"""
    browser = Browser(traced=True)
    browser.resize(1280, 800)
    begun = time.monotonic()
    browser.open(path)
    opened = time.monotonic() - begun
    # the tables of the whole are not what is measured
    browser.run(f"setTab('details'); {STARTS[kind]}")
    browser.settle()
    held = browser.run("return trace.held")
    times = browser.frames(STEPS, kind)
    browser.close()
    print(f"  {kind}: {len(times)} frames, {times[len(times) // 2]:.1f} ms in the median, worst "
          f"{times[-1]:.1f}, {sum(one > 50 for one in times)} longer than 50; "
          f"{sum(times):.0f} in all", flush=True)
    return opened, held


def main():
    """See above"""
    for path in sys.argv[1:]:
        print(f"{path}: {os.path.getsize(path) / 1e6:.2f} MB", flush=True)
        opened, held = zip(*[measure(path, kind) for kind in STARTS])
        print(f"  {held[0]} events, {os.path.getsize(path) / max(held[0], 1):.2f} bytes an event, "
              f"first picture in {min(opened):.2f} s")


if __name__ == "__main__":
    main()
