#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Draws the cost of an event over the length of its payload.

usage: plot.py RESULTS.json PLOT.svg

RESULTS.json is that of scripts/bench.sh. Draws the first kernel on which the
rings were measured: TSC, overwriting, in a task. Lines differ in colour and mark,
and are readable on a light and on a dark page.
"""

import json
import sys
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 750, 430
LEFT, RIGHT, TOP, BOTTOM = 64, 596, 62, 368

# Tracer, name in the plot, colour, mark.
LINES = (("lttng", "LTTng", "#b8860b", "triangle"),
         ("ftrace", "ftrace", "#d1495b", "square"),
         ("tring", "tring", "#2a7fba", "circle"),
         ("floor", "floor", "#808080", "diamond"))

STYLE = """
  text { font: 13px sans-serif; fill: #777; }
  .title { font-size: 16px; font-weight: bold; }
  .axis { stroke: #888; stroke-width: 1; fill: none; }
  .grid { stroke: #888; stroke-width: 1; stroke-opacity: 0.25; }
  .line { stroke-width: 2; fill: none; }
  @media (prefers-color-scheme: light) { text { fill: #444; } }
  @media (prefers-color-scheme: dark) { text { fill: #bbb; } }
"""


def select(rows):
    """The rows to draw -> {tracer: {length: instructions}}, one of the rows"""
    lines, first = {}, None
    for row in rows:
        if (row["row"] != "ring" or "mean" not in row or "first" in row or
                not row["what"].startswith("write_") or row["clock"] != "tsc" or
                row["mode"] != "overwrite" or row["context"] != "task"):
            continue
        first = first or row
        if row["kernel"] == first["kernel"]:
            length = int(row["what"].split("_")[1])
            lines.setdefault(row["tracer"], {})[length] = row["mean"]
    return lines, first


def mark(shape, x, y, colour):
    """One point"""
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>'
    corners = {"square": ((-4, -4), (4, -4), (4, 4), (-4, 4)),
               "triangle": ((0, -5), (5, 4), (-5, 4)),
               "diamond": ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0))}[shape]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" fill="{colour}"/>'


def text(x, y, content, anchor="start", attributes=""):
    """One text"""
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
            f'{attributes}>{escape(content)}</text>')


def legend_places(ends):
    """Places of the names at the lines' ends, at least 17 apart"""
    places, last = {}, float("-inf")
    for tracer, y in sorted(ends.items(), key=lambda end: end[1]):
        last = max(y, last + 17)
        places[tracer] = last
    return places


def draw(lines, row):
    """The whole picture, as a list of elements"""
    lengths = sorted({length for line in lines.values() for length in line})
    top = max(max(line.values()) for line in lines.values())
    step = next(step for step in (10, 20, 50, 100, 200, 500, 1000)
                if top / step <= 8)
    most = (int(top / step) + 1) * step

    def place_x(length):
        # A logarithmic scale, because lengths double.
        return LEFT + 24 + (RIGHT - LEFT - 48) * lengths.index(length) / max(
            len(lengths) - 1, 1)

    def place_y(value):
        return BOTTOM - (BOTTOM - TOP) * value / most

    out = [text(LEFT, 24, "Reserve, fill and commit one event", attributes=' class="title"'),
           text(LEFT, 44, f"instructions, mean; {row['kernel']}, TSC, overwriting")]
    for value in range(0, most + 1, step):
        y = place_y(value)
        out.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{RIGHT}" y2="{y:.1f}"/>')
        out.append(text(LEFT - 8, y + 4, str(value), "end"))
    for length in lengths:
        x = place_x(length)
        out.append(f'<line class="axis" x1="{x:.1f}" y1="{BOTTOM}" x2="{x:.1f}" '
                   f'y2="{BOTTOM + 5}"/>')
        out.append(text(x, BOTTOM + 20, str(length), "middle"))
    out.append(f'<path class="axis" d="M{LEFT},{TOP} V{BOTTOM} H{RIGHT}"/>')
    out.append(text((LEFT + RIGHT) / 2, BOTTOM + 44, "bytes of payload", "middle"))
    middle = (TOP + BOTTOM) / 2
    out.append(text(18, middle, "instructions", "middle",
                    f' transform="rotate(-90 18 {middle:.1f})"'))
    shown = [line for line in LINES if line[0] in lines]
    places = legend_places({tracer: place_y(lines[tracer][max(lines[tracer])])
                            for tracer, *_ in shown})
    for tracer, name, colour, shape in shown:
        points = [(place_x(length), place_y(value))
                  for length, value in sorted(lines[tracer].items())]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<polyline class="line" points="{path}" stroke="{colour}"/>')
        out += [mark(shape, x, y, colour) for x, y in points]
        out.append(mark(shape, RIGHT + 12, places[tracer], colour))
        at_16 = lines[tracer].get(16)
        out.append(text(RIGHT + 24, places[tracer] + 4, name if at_16 is None else
                        f"{name}, {at_16:.0f} at 16"))
    return out


def main():
    """Reads, draws, writes"""
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    with open(sys.argv[1], encoding="ascii") as source:
        lines, row = select(json.load(source))
    if not lines:
        print("no plot: the ring was not measured")
        return
    with open(sys.argv[2], "w", encoding="ascii") as out:
        out.write("<!-- SPDX-License-Identifier: GPL-2.0 -->\n"
                  f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
                  f'height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">\n'
                  f"<style>{STYLE}</style>\n" + "\n".join(draw(lines, row)) +
                  "\n</svg>\n")


if __name__ == "__main__":
    main()
