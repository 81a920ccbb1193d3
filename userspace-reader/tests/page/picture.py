#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Makes the picture of docs/page.md: a page of a real trace, with a wait that was clicked.

usage: picture.py PAGE PNG [light | dark [WIDTH HEIGHT]]
"""

import sys

from browser import Browser

# The longest wait in the first half whose chain has several arrows, and what is around it
CHOOSE = """
let best = null;
for (const number of view.tasks) {
    const task = trace.tasks[number];
    for (const piece of task.machine.pieces.slice(0, 2)) {
        await piece.load();
        const waits = piece.waits.lane("task", number);
        for (let i = 0; i < waits.count; i++) {
            if ((waits.state[i] & 15) !== wokenBlocked || waits.end[i] - waits.begin[i] > 4e7)
                continue;
            const {arrows} = await chainOf(number, waits.begin[i], waits.end[i]);
            const wakers = new Set(arrows.map(({waker}) => waker)).size;
            if (!best || wakers > best.wakers)
                best = {wakers, number, chunk: waits, index: i};
        }
    }
}
const {number, chunk, index} = best, [begin, end] = [chunk.begin[index], chunk.end[index]];
show(begin - (end - begin) * 0.3, end + (end - begin) * 0.3);
drawTimeline();
const row = shownRows.find(({task}) => task?.number === number);
pick({key: row.key, row, what: "state", offset: 2, height: 18,
      slice: {begin, end, value: doing.blocked, chunk, index}});
view.tab = "details";
await explainPicked();
await showPanel();
"""


def main():
    """See above"""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    theme = sys.argv[3] if len(sys.argv) > 3 else "light"
    width, height = map(int, sys.argv[4:6]) if len(sys.argv) > 5 else (1280, 800)
    browser = Browser()
    browser.resize(width, height)
    browser.open(sys.argv[1])
    browser.run("while (themes[themeNumber] !== arguments[0]) byId('theme').click();", theme)
    browser.settle()
    browser.later(CHOOSE)
    browser.settle()
    browser.screenshot(sys.argv[2])
    browser.close()


if __name__ == "__main__":
    main()
