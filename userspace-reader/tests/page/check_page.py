#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Tests pages of "tring page" in a Chromium.

usage: check_page.py TRING TRACES OUT [RANGES [WAITS]]

TRACES has what traces.c makes. Pages and pictures stay in OUT. Each test is a line "ok - " or
"not ok - ". RANGES is how many random times have their tables compared with those of "tring top",
WAITS how many chains are compared with those of "tring why". $TESTS names some of the tests.
"""

import collections
import json
import os
import random
import re
import subprocess
import sys
import traceback

from browser import Browser

SEED = int(os.environ.get("TRING_SEED", "20261126"))
TABLES = ("cpu", "sched", "wakeup", "irq", "softirq", "syscall", "events", "rate", "losses")

# The rows of all tables of a time, as lines of JSON have them.
ROWS = """
const [from, to] = arguments, machine = trace.machines[0];
const count = await countTime(machine, from, to), lines = [];
for (const name of Object.keys(tables)) {
    for (const row of count.rows(name)) {
        const line = {table: name};
        tables[name].columns.forEach(([column, unit], i) => {
            line[column] = valueText(machine, unit, row.values[i]);
        });
        if (tables[name].text)
            line[tables[name].text] = row.text || "";
        lines.push(line);
    }
}
return lines;
"""

# Wakeups of a chain: when, of which task, by what
CHAIN = """
const [pid, from, to] = arguments, machine = trace.machines[0];
const chain = await chainOf(machine.taskNumber(pid), from, to);
const pidOf = (task) => task < 0 ? 0 : trace.tasks[task].pid, found = [];
const walk = (parts, task) => parts.forEach((part) => {
    if (!part.cause)
        return;
    const {level, task: waker} = part.cause;
    found.push([part.to, pidOf(task), level === "task" ? pidOf(waker) : level]);
    if (waker >= 0)
        walk(part.parts, waker);
});
walk(chain.parts, chain.task);
return found;
"""


class Failed(Exception):
    """A test has found something else than it wanted."""


def expect(is_, wanted, what):
    """Fails if two values are not the same"""
    if is_ != wanted:
        raise Failed(f"{what}: {is_!r} instead of {wanted!r}")


class Tests:
    """All tests: methods whose names begin with test_, in their order."""

    def __init__(self, tring, traces, out, ranges, waits):
        self.tring, self.traces, self.out = tring, traces, out
        self.ranges, self.waits = ranges, waits
        self.random = random.Random(SEED)
        self.browser = Browser()
        self.failed = 0

    def page(self, name, *options):
        """Writes the page of a trace"""
        path = f"{self.out}/{'-'.join((name,) + options)}.html"
        subprocess.run([self.tring, "page", *options, "-o", path, f"{self.traces}/{name}"],
                       check=True)
        return path

    def open(self, name, link="", width=1280, height=800):
        """Opens the page of a trace, as large as is told"""
        path = f"{self.out}/{name}.html"
        if not os.path.exists(path):
            self.page(name)
        self.browser.resize(width, height)
        said = self.browser.open(path, link, again=True)
        self.browser.settle()
        return said

    def lines(self, *command):
        """What tring prints"""
        return subprocess.run([self.tring, *command], check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout.decode().splitlines()

    def stamp(self, offset):
        """A time of the page as --from has it"""
        base = int(self.browser.run("return String(trace.machines[0].base)"))
        return f"{(base + offset) // 10**9}.{(base + offset) % 10**9:09}"

    def quiet(self):
        """Nothing is on the console, and nothing was asked for"""
        expect(self.browser.problems(), [], "console and requests")

    def keys(self, keys):
        """Presses keys, one after another"""
        for key in keys:
            self.browser.run("document.body.dispatchEvent("
                             "new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))",
                             key)
        self.browser.settle()

    def mouse(self, kind, x, y, **more):
        """An event of the mouse on the timeline"""
        self.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y + self.browser.run(
                "return canvas.getBoundingClientRect().top"), **more})

    def click(self, x, y):
        """A click on the timeline"""
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)
        self.browser.settle()

    def drag(self, x, y, to, **more):
        """A drag to the side"""
        self.mouse("mousePressed", x, y, button="left", clickCount=1, **more)
        for at in (x + (to - x) / 2, to):
            self.mouse("mouseMoved", at, y, button="left", buttons=1, **more)
        self.mouse("mouseReleased", to, y, button="left", clickCount=1, **more)
        self.browser.settle()

    def place(self, key, time):
        """Where the middle of a row is at a time"""
        return self.browser.run(
            "const row = shownRows.find((one) => one.key === arguments[0]);"
            "return [xOf(arguments[1]), ruler + row.y - frame.top + 20]", key, time)

    def pixel(self, x, y):
        """The colour of a point"""
        return self.browser.run("return [...frame.context.getImageData("
                                "Math.round(arguments[0]), Math.round(arguments[1]), 1, 1).data]"
                                ".slice(0, 3)", x, y)

    def colour(self, name):
        """The numbers of a colour of the theme, or of a task"""
        return self.browser.run(
            "const one = document.createElement('canvas').getContext('2d');"
            "one.fillStyle = theme[arguments[0]] || taskColour(arguments[0]);"
            "one.fillRect(0, 0, 1, 1); return [...one.getImageData(0, 0, 1, 1).data].slice(0, 3)",
            name)

    def test_opens(self):
        """a page opens from a file, says how many events it has, and asks for nothing"""
        expect(self.open("known"), "", "notice")
        about = self.browser.run("return byId('about').textContent")
        expect("15 of 15 events" in about and "1,234 lost" in about, True, about)
        self.quiet()

    def test_no_request_can_leave(self):
        """the page's policy refuses what would load something, and markup that runs"""
        self.open("known")
        said = self.browser.later(
            "const refused = [];"
            "document.addEventListener('securitypolicyviolation', (event) =>"
            " refused.push(event.effectiveDirective));"
            "const image = new Image(); image.src = 'http://127.0.0.1:9/x';"
            "await fetch('http://127.0.0.1:9/x').catch(() => 0);"
            "const script = document.createElement('script'); script.textContent = 'window.ran=1';"
            "document.body.append(script);"
            "for (let i = 0; refused.length < 3 && i < 100; i++)"
            " await new Promise((done) => requestAnimationFrame(done));"
            "return [refused.sort(), window.ran]")
        expect(said, [["connect-src", "img-src", "script-src-elem"], None], "refused")
        self.browser.problems()

    def test_pixels(self):
        """slices are where they belong: tasks, idle, an interrupt, a task's states"""
        self.open("known", "#t=0,100000000&tasks=0.100,0.200,0.300")
        ground, idle = self.colour("ground"), self.colour("idle")
        for ms, key, colour in ((5, "m0c0", self.colour("task100")),
                                (15, "m0c0", ground),
                                (27, "m0c0", self.colour("task200")),
                                (35, "m0c0", self.colour("task100")),
                                (80, "m0c1", self.colour("task300"))):
            x, y = self.place(key, ms * 1e6)
            expect(self.pixel(x, y + 1), colour, f"{key} at {ms} ms")
        x, y = self.place("m0c0", 15e6)
        expect(self.pixel(x, y + 9), idle, "idle")
        x, y = self.place("m0c0", 23e6)
        expect(self.pixel(x + 2, y - 11), self.colour("irq"), "an interrupt")
        x, y = self.place("task0", 29e6)
        expect(self.pixel(x, y - 3), self.colour("runnable"), "task 100 waits")
        expect(self.pixel(x, y - 15), ground, "above it")
        self.quiet()

    def test_losses(self):
        """a loss is drawn where it is, and nothing over it"""
        self.open("known", "#t=0,100000000&tasks=0.100,0.200")
        colours = [self.colour("ground"), self.colour("loss")]
        for ms in (41, 45, 50, 55, 59):
            x, y = self.place("m0c0", ms * 1e6)
            column = self.browser.run(
                "const data = frame.context.getImageData(Math.round(arguments[0]),"
                "Math.round(arguments[1]), 1, 28).data, all = new Set();"
                "for (let i = 0; i < data.length; i += 4)"
                " all.add([data[i], data[i + 1], data[i + 2]].join());"
                "return [...all]", x, y - 18)
            hatched = [one for one in column if one == ",".join(map(str, colours[1]))]
            expect(bool(hatched), True, f"{ms} ms is hatched: {column}")
            for task in ("task100", "task200"):
                expect(",".join(map(str, self.colour(task))) in column, False, f"{task} at {ms}")
        # one that is much shorter than a pixel is seen, too
        self.browser.run("trace.losses[0].end = trace.losses[0].begin;"
                         "const {chunk} = trace.machines[0].cpus[0].losses;"
                         "chunk.end[0] = chunk.begin[0]")
        self.browser.settle()
        x, y = self.place("m0c0", 40e6)
        expect(self.pixel(x, y), colours[1], "the begin of a short loss")
        self.quiet()

    def test_tables(self):
        """the tables of random times are those of "tring top --json --from --to"
        """
        self.open("random")
        end = int(self.browser.run("return trace.end"))
        with_events = 0
        for number in range(self.ranges):
            first = self.random.randrange(end)
            length = self.random.choice((end, end // 100, 5000000))
            last = min(end, first + 1 + self.random.randrange(length))
            wanted = self.top("random", first, last)
            found = self.browser.later(ROWS, first, last)
            self.compare_rows(found, wanted, f"range {number}, {first} to {last}")
            with_events += any(row["table"] == "events" for row in wanted)
        print(f"# {self.ranges} times compared, {with_events} with events, seed {SEED}")
        expect(with_events > self.ranges / 2, True, "enough times have events")
        self.quiet()

    def top(self, name, first, last):
        """The rows of "tring top", without what a page does not have"""
        rows = [json.loads(line, parse_int=str, parse_float=str) for line in self.lines(
            "top", "--json", "-n", "0", *TABLES, "--from", self.stamp(first), "--to",
            self.stamp(last), f"{self.traces}/{name}")]
        return [{key: "null" if value is None else value for key, value in row.items()
                 if key not in ("unit", "cgroup", "command")} for row in rows if "table" in row]

    def compare_rows(self, found, wanted, what):
        """Fails if the rows of tables differ"""
        def keys(rows):
            return {json.dumps(row, sort_keys=True) for row in rows}
        if keys(found) == keys(wanted):
            return
        raise Failed(f"{what}\n  page: {sorted(keys(found) - keys(wanted))[:3]}"
                     f"\n  top:  {sorted(keys(wanted) - keys(found))[:3]}")

    def test_why(self):
        """the chains of waits are those of "tring why --json"
        """
        self.open("random")
        base = int(self.browser.run("return String(trace.machines[0].base)"))
        arrows = 0
        for what in ("block", "wait"):
            for line in self.lines("why", "--json", "--longest", what, "-n",
                                   str(self.waits // 2), f"{self.traces}/random"):
                wait = json.loads(line)
                wanted = set()
                self.walk(wait["segments"], wait["pid"], base, wanted)
                found = self.browser.later(CHAIN, wait["pid"], wait["from"] - base,
                                           wait["to"] - base)
                expect({tuple(one) for one in found}, wanted, f"{wait['pid']} {wait['from']}")
                arrows += len(wanted)
        print(f"# {arrows} arrows compared")
        expect(arrows > 0, True, "there are arrows")
        self.quiet()

    def walk(self, segments, pid, base, wanted):
        """Collects the wakeups of a chain"""
        for part in segments:
            waker = part.get("waker")
            if not waker or part["kind"] not in ("blocked", "absent"):
                continue
            task = waker["kind"] == "task"
            wanted.add((part["to"] - base, pid, waker["pid"] if task else waker["kind"]))
            if task and waker["pid"]:
                self.walk(part.get("segments", []), waker["pid"], base, wanted)

    def test_events(self):
        """the lines of the list are those of "tring report"; filters select from them"""
        self.open("random", "#t=0,1e12&tab=events")
        wanted = self.compare_lines("random")
        self.browser.later("filters.task = 'task103'; filters.event = 'sched_switch';"
                           "filters.cpu = '1'; await showPanel()")
        shown = self.browser.run("return byId('lines-count').textContent")
        fits = [line for line in wanted if line.startswith("         task103-103 ") and
                " sched_switch: " in line and "[001]" in line]
        expect(shown, f"{len(fits):,} fit the filter", "filtered")
        first = self.browser.run("return document.querySelector('.line').textContent")
        expect(first, fits[0], "the first line")
        self.quiet()

    def compare_lines(self, name):
        """All lines of a page and those of report, which are returned, are the same"""
        wanted = self.lines("report", f"{self.traces}/{name}")
        found = self.browser.later(
            "const lines = [];"
            "for (const piece of trace.machines[0].pieces) {"
            " await piece.load(); await loadFields(piece);"
            " for (let i = 0; i < piece.moments; i++) lines.push(...lineOf(piece, i).split('\\n'));"
            "} return lines")
        for mine, line in zip(found, wanted):
            expect(mine, line, "a line")
        expect(len(found), len(wanted), "lines")
        return wanted

    def test_saved_part(self):
        """what is selected makes a smaller page, which has the same tables there"""
        self.open("random")
        expect(self.browser.run("""
            return [...Array(90).keys()].filter((size) => {
                const bytes = Uint8Array.from({length: size}, (zero, i) => (i + size) * 83);
                const text = ascii85Of(bytes);
                return bytesOf(text).join() !== bytes.join() || text.includes("<");
            })"""), [], "sizes of bytes that a text does not give back")
        end = int(self.browser.run("return trace.end"))
        first, last = end // 2, end // 2 + 2000000
        text = self.browser.later("return await pageOf({from: arguments[0], to: arguments[1]})",
                                  first, last)
        path = f"{self.out}/random-part.html"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        expect(len(text) < os.path.getsize(f"{self.out}/random.html"), True, "it is smaller")
        wanted = self.browser.later(ROWS, first, last)
        said = self.browser.open(path, again=True)
        expect("a part" in said, True, said)
        self.compare_rows(self.browser.later(ROWS, first, last), wanted, "the part")
        self.quiet()

    def test_keyboard(self):
        """keys zoom and move; brackets set cursors, whose difference is told"""
        self.open("known", "#t=0,100000000")
        self.keys("wwww")
        length = self.browser.run("return view.to - view.from")
        expect(round(length), round(100e6 * 0.7 ** 4), "zoomed in")
        before = self.browser.run("return view.from")
        self.keys("d")
        expect(round(self.browser.run("return view.from") - before), round(length * 0.15),
               "moved")
        self.keys("as")
        expect(round(self.browser.run("return view.to - view.from")), round(length / 0.7), "out")
        self.keys("0")
        expect(self.browser.run("return [view.from, view.to]"), [0, 100000000], "all")
        self.mouse("mouseMoved", *self.place("m0c0", 12e6))
        self.browser.settle()
        self.keys("[")
        self.mouse("mouseMoved", *self.place("m0c0", 82e6))
        self.browser.settle()
        self.keys("]")
        length = self.browser.run("return view.selected.to - view.selected.from")
        expect(abs(length - 70e6) < 2e5, True, f"{length} between the cursors")
        self.browser.wait("return byId('time').textContent.startsWith('Selected: ')")
        self.keys("?")
        expect(self.browser.run("return byId('help').hidden"), False, "help")
        self.quiet()

    def test_mouse(self):
        """a wheel zooms at the pointer, a drag moves, a drag in the ruler selects"""
        self.open("known", "#t=0,100000000")
        x, y = self.place("m0c0", 25e6)
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=-200)
        self.browser.settle()
        expect(self.browser.run("return view.to - view.from < 7e7"), True, "zoomed in")
        expect(abs(self.browser.run("return xOf(25e6)") - x) < 1, True, "the pointer's time stays")
        before = self.browser.run("return [view.from, frame.width, view.to - view.from]")
        self.drag(600, y, 500)
        expect(abs(self.browser.run("return view.from") - before[0] -
                   100 / before[1] * before[2]) < 1e3, True, "moved by 100 pixels")
        self.browser.run("showAll()")
        self.browser.settle()
        self.drag(self.place("m0c0", 30e6)[0], 20, self.place("m0c0", 50e6)[0])
        time = self.browser.run("return view.selected")
        expect(abs(time["from"] - 30e6) < 2e5 and abs(time["to"] - 50e6) < 2e5, True, str(time))
        self.quiet()

    def test_picks(self):
        """a click tells of a slice; of a wait it draws why; then come the events of its task"""
        self.open("known", "#t=0,100000000&tasks=0.100,0.200")
        x, y = self.place("task0", 14e6)
        self.click(x, y - 2)
        self.browser.wait("return view.chain && view.chain.arrows.length")
        arrow = self.browser.run("const [one] = view.chain.arrows;"
                                 "return [one.at, trace.tasks[one.waker].pid]")
        expect(arrow, [28000000, 200], "task 200 has woken it at 28 ms")
        self.browser.wait("return byId('content').textContent.includes('until task200 200 woke')")
        self.keys(".")
        self.browser.wait("return view.event && view.event.time > 0")
        expect(self.browser.run("return view.event.time"), 40000000, "the next event")
        self.keys(",")
        self.browser.wait("return view.event.time < 4e7")
        expect(self.browser.run("return view.event.time"), 10000000, "the event before")
        self.quiet()

    def test_search(self):
        """search finds tasks, kinds of events and texts, and goes there"""
        self.open("known", "#t=0,1000000")
        for text, found in (("task300", "task task300 300"), ("irq_handler", "irq_handler_entry"),
                            ("next_pid", ""), ("==> task200", "sched_switch")):
            self.browser.later("await runSearch(arguments[0])", text)
            shown = self.browser.run("return byId('found').textContent")
            expect(found in shown, True, f"{text}: {shown}")
        self.browser.later("await runSearch('task300')"
                           ".then(() => byId('found').querySelector('button').click())")
        self.browser.settle()
        expect(self.browser.run("return shownRows.some(({task}) => task && task.pid === 300)"),
               True, "the task has a row")
        self.browser.later("await runSearch('name=disk'); "
                           "byId('found').querySelector('button').click()")
        expect(self.browser.run("return view.event.time"), 22000000, "the event's time")
        self.quiet()

    def test_link(self):
        """the address restores a view"""
        self.open("known")
        self.browser.run("show(1e7, 4e7); select(2e7, 3e7); openTask(2); setTab('events');"
                         "toggleWall()")
        self.browser.settle()
        link = self.browser.run("return location.hash")
        state = ("return [view.from, view.to, view.selected.from, view.selected.to,"
                 " [...view.tasks].sort(), view.tab, view.wall]")
        wanted = self.browser.run(state)
        self.open("known", link)
        expect(self.browser.run(state), wanted, link)
        self.quiet()

    def test_hostile(self):
        """names with markup are texts, and no script of a trace runs"""
        self.open("hostile", "#t=0,60000000&tab=tables")
        self.browser.later("await showPanel()")
        names = self.browser.run("return [...document.querySelectorAll("
                                 "'#table-sched td:last-child')].map((one) => one.textContent)")
        for name in ("</script><b>", "<img src=x>", "__proto__", "constructor", "&lt;b&gt;"):
            expect(name in names, True, f"{name} in {names}")
        expect(self.browser.run("return document.querySelectorAll('main b, main img, main i')"
                                ".length"), 0, "elements that names have made")
        self.browser.later("await runSearch('img'); setTab('events'); await showPanel()")
        expect(self.browser.run("return document.querySelectorAll('#content img, #found img')"
                                ".length"), 0, "elements of lines")
        self.compare_lines("hostile")
        self.quiet()

    def test_extremes(self):
        """one event, no scheduler, times of 2^63, 100,000 tasks: all open, or say why not"""
        for name in ("one", "late", "far", "calls", "many"):
            said = self.open(name)
            expect(said, "", f"notice of {name}")
            self.keys("wwssdda")
            for tab in ("details", "tables", "events"):
                self.browser.later("view.tab = arguments[0]; await showPanel()", tab)
            try:
                self.quiet()
            except Failed as failure:
                raise Failed(f"{name}: {failure}") from failure
        expect(self.browser.run("return trace.tasks.length") >= 100000, True, "100,000 tasks")

    def test_markers(self):
        """spans, counters and texts of trace_marker are below their task, but none over a loss"""
        self.open("markers", "#t=0,100000000&tasks=0.100")
        lanes = self.browser.run(
            "const machine = trace.machines[0];"
            "return trace.tasks[0].spans.map(({chunk}) => [...Array(chunk.count).keys()].map("
            "(i) => [chunk.begin[i] / 1e6, chunk.end[i] / 1e6, machine.spanName('span',"
            " chunk.value[i])]))")
        expect(lanes, [[[10, 30, "outer"]], [[12, 20, "inner"]]], "spans")
        counter = self.browser.run(
            "const {name, process, lane: {chunk}} = trace.machines[0].counters[0];"
            "return [name, process, [...chunk.begin], [...chunk.end], [...chunk.value]]")
        expect(counter, ["depth", 100, [14e6, 35e6], [35e6, 40e6], [3, 7]],
               "a counter, up to a loss")
        x, y = self.place("task0", 25e6)
        expect(self.pixel(x, y + 8), self.colour("span"), "the outer span")
        x = self.place("task0", 15e6)[0]
        expect(self.pixel(x, y + 36), self.colour("marker"), "a text")
        self.click(x, y + 36)
        self.browser.wait("return byId('content').textContent.includes('hello <b>')")
        x, y = self.place("m0n0", 37e6)
        expect(self.pixel(x, y + 10), self.colour("span"), "the counter's last value")
        x = self.place("m0n0", 50e6)[0]
        expect(self.pixel(x, y + 10), self.colour("ground"), "the counter in a loss")
        self.quiet()

    def test_flame(self):
        """the flame of a time has its stacks, as "tring report" prints them"""
        self.open("stacks", "#t=0,100000000")
        self.browser.run("byId('tab-flame').click()")
        for first, last in ((0, 100000000), (15000000, 30000000)):
            self.browser.later("select(...arguments); await showPanel()", first, last)
            found = self.browser.run("return [...document.querySelectorAll('#flame .frame')]"
                                     ".map(({title}) => title)")
            wanted = collections.Counter()
            for text in "\n".join(self.lines(
                    "report", "--from", self.stamp(first), "--to", self.stamp(last), "-e",
                    "kernel_stack", f"{self.traces}/stacks")).split("kernel_stack:"):
                names = re.findall(r"=> (.*)", text)[::-1]
                wanted.update(tuple(names[:depth]) for depth in range(len(names) + 1) if names)
            expect(sorted(found), sorted(f"{path[-1] if path else 'all'}: {count}"
                                         for path, count in wanted.items()), "frames")
        expect(sum(wanted.values()) > 3, True, "there are stacks")
        self.quiet()

    def test_detail_timeline(self):
        """a page of --detail timeline says that fields are left out, and has the rest"""
        self.page("random", "--detail", "timeline")
        said = self.open("random---detail-timeline")
        expect("left out" in said or "fields" in said, True, said)
        self.page("markers", "--detail", "timeline")
        self.open("markers---detail-timeline")
        about = self.browser.run("return byId('about').textContent")
        expect(about.split(" events")[0], "2 of 11", "events of the page")
        self.quiet()

    def test_frames(self):
        """no frame of a zoom or a drag takes long, in time of the page's thread"""
        browser = Browser(traced=True)
        try:
            browser.open(self.page("random"))
            times = browser.frames("""
                const step = async (count, what) => {
                    for (let i = 0; i < count; i++) {
                        what();
                        await new Promise(requestAnimationFrame);
                    }
                };
                await step(20, () => zoom(0.7, trace.end / 3));
                await step(20, () => zoom(1 / 0.7, trace.end / 3));
                await step(1, () => zoom(0.1, trace.end / 2));
                await step(40, () => pan(0.05))""")
        finally:
            browser.close()
        expect(len(times) >= 81, True, f"{len(times)} frames were measured")
        print(f"# {len(times)} frames, median {times[len(times) // 2]:.1f} ms, "
              f"worst {times[-1]:.1f} ms")
        expect(times[len(times) * 9 // 10] < 50, True, "nine of ten frames are within 50 ms")

    def test_ruler(self):
        """marks of the ruler are at round times of both clocks; on paper all rows are drawn"""
        self.open("random", "#tab=details")
        for _ in range(2):
            marks = self.browser.run(
                "const made = axisText, marks = [];"
                "axisText = (time, step) => {"
                " marks.push(Number(clockOf(time) % BigInt(step)));"
                " return made(time, step); };"
                "drawTimeline(); axisText = made; toggleWall(); return marks")
            expect(len(marks) > 3 and not any(marks), True, f"{marks} behind round times")
        heights = self.browser.run(
            "for (let i = 0; i < 20; i++) view.tasks.add(i); drawTimeline(); drawTimeline(true);"
            "return [byId('timeline').offsetHeight, byId('height').offsetHeight, innerHeight]")
        expect(heights[0], heights[1], "height on paper")
        expect(heights[0] > heights[2], True, f"{heights}: more than a window")
        self.quiet()

    def test_machines(self):
        """machines of the same name are told apart by what their traces are called"""
        subprocess.run([self.tring, "page", "-o", f"{self.out}/two.html",
                        f"{self.traces}/known", f"{self.traces}/random"], check=True)
        self.open("two")
        names = self.browser.run("return trace.machines.map(({name}) => name)")
        expect(names, [f'test "host" ({self.traces}/{name})' for name in ("known", "random")],
               "machines")
        self.quiet()

    def test_pictures(self):
        """screenshots in light and dark, wide and narrow; nothing is wider than the window"""
        for theme, width, height in (("light", 1280, 800), ("dark", 1280, 800),
                                     ("light", 400, 800), ("dark", 400, 800)):
            self.open("random", "#tab=tables", width, height)
            self.browser.run("while (themes[themeNumber] !== arguments[0]) byId('theme').click();",
                             theme)
            self.browser.later("await showPanel()")
            self.browser.settle()
            expect(self.browser.run("return document.documentElement.scrollWidth"), width,
                   "width of the page")
            self.browser.screenshot(f"{self.out}/{theme}-{width}.png")
        self.quiet()

    def run(self):
        """Runs all tests. Returns the number of those that have failed"""
        wanted = os.environ.get("TESTS", "").split()
        for name in [name for name in dir(type(self)) if name.startswith("test_") and
                     (not wanted or name[5:] in wanted)]:
            description = f"page: {getattr(self, name).__doc__.strip()}"
            try:
                getattr(self, name)()
                print(f"ok - {description}", flush=True)
            except Exception as error:  # a browser that has ended is a failure, too
                self.failed += 1
                print(f"not ok - {description}")
                if isinstance(error, Failed):
                    print("    " + str(error).replace("\n", "\n    "), flush=True)
                else:
                    traceback.print_exc(limit=3, file=sys.stdout)
                self.browser.screenshot(f"{self.out}/{name}.png")
                self.browser.problems()
        self.browser.close()
        return self.failed


def main():
    """See above"""
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    tring, traces, out = (os.path.abspath(path) for path in sys.argv[1:4])
    ranges = int(sys.argv[4]) if len(sys.argv) > 4 else 50
    waits = int(sys.argv[5]) if len(sys.argv) > 5 else 50
    os.makedirs(out, exist_ok=True)
    sys.exit(1 if Tests(tring, traces, out, ranges, waits).run() else 0)


if __name__ == "__main__":
    main()
