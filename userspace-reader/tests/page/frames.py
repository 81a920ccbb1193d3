#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Measures how long a page takes: until its first picture, and for each frame of a zoom and a drag.

usage: frames.py PAGE...

A frame has a time by the clock, and one of the page's thread, without what other programs of the
machine take from it.
"""

import os
import sys
import time

from browser import Browser

STEPS = """
const [kind, i] = arguments;
if (kind === "in")
    zoom(0.8, trace.begin + (trace.end - trace.begin) * 0.43);
else if (kind === "out")
    zoom(1 / 0.8, trace.begin + (trace.end - trace.begin) * 0.43);
else
    pan(0.04);
frameTimes.length = 0;
await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
return Math.max(...frameTimes);
"""


def main():
    """See above"""
    for path in sys.argv[1:]:
        browser = Browser()
        browser.resize(1280, 800)
        begun = time.monotonic()
        browser.open(path)
        opened = time.monotonic() - begun
        held = browser.run("return trace.held")
        print(f"{path}: {os.path.getsize(path) / 1e6:.2f} MB, {held} events, "
              f"{os.path.getsize(path) / max(held, 1):.2f} bytes an event, "
              f"first picture in {opened:.2f} s")
        # the tables of the whole are not what is measured
        browser.run("setTab('details')")
        for kind, count in (("in", 50), ("out", 50), ("drag", 50)):
            clocks, threads = [], []
            if kind == "drag":
                browser.run("zoom(0.05, trace.end / 2)")
            for i in range(count):
                before = browser.thread_time()
                clocks.append(browser.later(STEPS, kind, i))
                threads.append(browser.thread_time() - before)
            clocks.sort()
            threads.sort()
            print(f"  {kind}: drawing {clocks[count // 2]:.1f} ms in the median, worst "
                  f"{clocks[-1]:.1f}; the thread, with all that comes between two frames, "
                  f"{threads[count // 2]:.1f} and {threads[-1]:.1f}")
        browser.close()


if __name__ == "__main__":
    main()
