# SPDX-License-Identifier: GPL-2.0
"""Takes a page of "tring page" apart by docs/page-format.md, and compares it with the trace.

usage: page.py TRING TRACE
       page.py PAGE

Makes a page of the trace. Its events have to be those of "tring report", its intervals those of
"tring sql". Of a page alone, prints the lines, and on stderr the number of intervals. Shares no code
with the writer.
"""

import base64
import bisect
import collections
import json
import re
import subprocess
import sys
import zlib

BLOCK = re.compile(rb'<script type="application/octet-stream" id="(\w+)">([!-;=-v]*)</script>')
LOSS, RAW, FIRST = 0, 1, 2
RUN, WAIT, INTERRUPT, CALL, NEVER, SPAN, COUNTER, GAP, TEXT = range(9)
MASK = (1 << 64) - 1

Moment = collections.namedtuple("Moment", "time cpu kind task context stored")
# What is not known is None.
Interval = collections.namedtuple("Interval", "type start end cpu pid a b waker inside")


class Column:
    """Numbers and texts one after another"""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def number(self):
        """A number without a sign"""
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def signed(self):
        """A number with a sign"""
        value = self.number()
        return value >> 1 ^ -(value & 1)

    def text(self):
        """A text"""
        size = self.number()
        self.at += size
        return self.data[self.at - size:self.at].decode()

    def numbers(self, count):
        """All numbers of a column"""
        values = [self.number() for _ in range(count)]
        assert self.at == len(self.data), "bytes behind a column"
        return values

    def values(self, count, order=None, beside=None):
        """Numbers of a column that begins with its form, in the order of events"""
        form = self.number()
        values = self.numbers(count)
        if order is None or len(order) != count:
            order = range(count)
        if beside is None or len(beside) != count:
            beside = [0] * count
        if form:
            values = [value >> 1 ^ -(value & 1) for value in values]
        result, before = [0] * count, 0
        for value, at in zip(values, order):
            if form >= 2:
                value += before + (beside[at] if form == 3 else 0)
            result[at] = before = value & MASK
        return result

    def places(self, kinds):
        """The moments of kinds that a column names"""
        some = {self.number() for _ in range(self.number())}
        return [i for i, kind in enumerate(kinds) if kind in some]


def columns_of(block):
    """The columns of a block"""
    whole = Column(block)
    columns = []
    while whole.at < len(block):
        size = whole.number()
        columns.append(Column(block[whole.at:whole.at + size]))
        whole.at += size
    return columns


def times(top, bits, count):
    """The differences of the times of moments"""
    stream = int.from_bytes(bits.data, "little")
    for byte in top.data[:count]:
        size, value = byte >> 3, byte & 7
        if size == 31:
            size, value = 64, 0
        yield value << size | stream & (1 << size) - 1
        stream >>= size


class Page:
    """A page"""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.html = file.read()
        self.blocks = {name.decode(): text for name, text in BLOCK.findall(self.html)}
        self.index = json.loads(self.block("index0"))
        self.trace = self.index["traces"][0]
        self.base = int(self.trace["base"])

    def block(self, name):
        """The bytes of a block"""
        return zlib.decompress(base64.a85decode(self.blocks[name].replace(b"v", b"<")), -15)

    def stamp(self, time):
        """A time of the page as ticks of the trace"""
        return self.base + (time << self.trace["shift"])

    def moments(self, number):
        """The moments of a piece, the tasks, and the other columns"""
        head, names, top, bits, *columns = columns_of(self.block(f"t{number}"))
        count, tasks, time = (head.number() for _ in range(3))
        tasks = [(names.signed(), names.text()) for _ in range(tasks)]
        cpus, kinds = (column.numbers(count) for column in columns[:2])
        last, behind = {}, []
        for cpu, kind in zip(cpus, kinds):
            behind.append((kind, last.get(cpu, 0)))
            last[cpu] = kind
        order = sorted(range(count), key=behind.__getitem__)
        changes, contexts, stored = (
            [value for _, value in sorted(zip(order, column.numbers(count)))]
            for column in columns[2:5])
        running, moments = {}, []
        for i, delta in enumerate(times(top, bits, count)):
            time += delta
            cpu, kind, task = cpus[i], kinds[i], 0
            if kind != LOSS:
                task = running[cpu] = changes[i] or running[cpu]
            moments.append(Moment(time, cpu, kind, task,
                                  self.trace["contexts"][contexts[i]] if kind else "",
                                  stored[i]))
        return moments, tasks, columns[5:]

    def groups(self, moments, tasks, columns):
        """The intervals inside a piece"""
        at = 1
        for kind, names in (RUN, "cpu task a b"), (WAIT, "task a"), (INTERRUPT, "cpu task a"), \
                           (CALL, "task a b"):
            names = names.split()
            ends, backs, *rest = columns[at:at + 2 + len(names)]
            at += 2 + len(names)
            if not ends.data:
                continue
            kinds = [moment.kind for moment in moments]
            last, starts = ends.places(kinds), backs.places(kinds)
            place = 0
            while ends.at < len(ends.data):
                place += ends.signed()
                end = last[place]
                start = starts[bisect.bisect_left(starts, end) - backs.number()]
                row = {name: column.number() for name, column in zip(names, rest)}
                task = row.pop("task") or moments[end].task
                row.setdefault("b", None)
                cpu, waker = row.pop("cpu", 0) - 1, None
                if cpu < 0:
                    cpu = moments[end].cpu
                if kind == WAIT and row["a"] == 5:
                    waker = tasks[moments[end].task - 1][0]
                yield Interval(kind, moments[start].time, moments[end].time, cpu,
                               tasks[task - 1][0], row["a"], row["b"], waker, True)

    def longs(self):
        """The intervals that cross the border of a piece, and the losses"""
        for number in range(self.trace["long"]):
            head, *columns = columns_of(self.block(f"l{number}"))
            end = 0
            for _ in range(head.number()):
                kind = columns[0].number()
                end += columns[1].signed()
                start = end - columns[2].number()
                cpu = columns[3].number()
                pid, first, second = (columns[4].signed(), columns[5].number(),
                                      columns[6].number())
                waker = columns[7].signed()
                yield Interval(kind, start, end, cpu - 1 if cpu else None, pid, first,
                               second if kind != WAIT else None,
                               waker if waker >= 0 else None, False)

    def intervals(self):
        """All intervals"""
        for piece in self.trace["pieces"]:
            yield from self.groups(*self.moments(piece[0]))
        yield from self.longs()

    def fields(self, number):
        """The events of a piece by kind: iterators of (fields, text)"""
        columns = iter(columns_of(self.block(f"e{number}")))
        moments, _, _ = self.moments(number)
        tasks = collections.defaultdict(list)
        for moment in moments:
            tasks[moment.kind].append(moment.task)
        texts, groups = (lambda head: (head.number(), head.number()))(next(columns))
        column = next(columns)
        texts = [column.text() for _ in range(texts)]
        result = {}
        for _ in range(groups):
            head = next(columns)
            kind, rows, count = (head.number() for _ in range(3))
            group = [next(columns) for _ in range(count)]
            order = sorted(range(rows), key=tasks[kind].__getitem__)
            result[kind] = self.rows(kind, rows, group, texts, order)
        return result

    def rows(self, kind, rows, columns, texts, order):
        """The events of a kind in a piece: their fields, and their texts, or what these end with"""
        values = [None]

        def read(count):
            values.append(columns.pop(0).values(count, order, values[-1]))
            return values[-1]

        if kind == RAW:
            return iter([({}, texts[at]) for at in read(rows)])
        kind = self.trace["kinds"][kind - FIRST]
        fields = []
        for field in kind["fields"]:
            found = read(rows)
            if field["type"] == "text":
                found = [texts[value] for value in found]
            elif field["type"] == "number":
                found = [sign(value, field) for value in found]
            else:
                found = arrays(field, found, read)
            fields.append((field["name"], found))
        lines = [""] * rows
        if columns:
            first = 1 if kind["plan"] is not None else 0
            lines = [texts[value - first] if value >= first else "" for value in read(rows)]
        return iter([({name: found[i] for name, found in fields}, lines[i])
                     for i in range(rows)])

    def events(self):
        """(moment, task, kind, fields, text) of each event and loss in order"""
        for piece in self.trace["pieces"]:
            moments, tasks, columns = self.moments(piece[0])
            losses = columns[0]
            rows = self.fields(piece[0]) if self.index["detail"] == "all" else {}
            for moment in moments:
                if moment.kind == LOSS:
                    yield moment, None, None, {"events": losses.number(),
                                               "packets": losses.number()}, None
                    continue
                fields, text = next(rows[moment.kind]) if rows else ({}, None)
                kind = None
                if moment.kind != RAW:
                    kind = self.trace["kinds"][moment.kind - FIRST]
                    if kind["plan"] is not None and rows:
                        text = escape(run_plan(kind, fields)) + text
                yield moment, tasks[moment.task - 1], kind, fields, text


def sign(value, field):
    """A number as its field has it"""
    return value - (1 << 64) if field["signed"] and value >> 63 else value


def arrays(field, counts, read):
    """The arrays of a field"""
    places = field.get("places", 17)
    if places > 16:
        rest = iter(read(sum(counts)))
        return [[sign(next(rest), field) for _ in range(count)] for count in counts]
    by_place = [iter(read(sum(count > place for count in counts))) for place in range(places)]
    return [[sign(next(by_place[place]), field) for place in range(count)] for count in counts]


OPERATORS = {
    "|": lambda a, b: a | b, "||": lambda a, b: a and b or a or b, "&": lambda a, b: a & b,
    "&&": lambda a, b: a != 0 and b != 0, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b, "<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63),
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: a // b, "%": lambda a, b: a % b,
}


def evaluate(kind, values, what):
    """The number that an operation of a plan prints"""
    if what[0] in ("f", "a"):
        value = values[what[1]] if what[0] == "f" else values[what[1]][what[2]]
        return value & (1 << 8 * kind["fields"][what[1]]["size"]) - 1
    stack = []
    for step in what[1]:
        if step[0] == "v":
            stack.append(int(step[1]))
        elif step[0] in ("f", "a"):
            stack.append(evaluate(kind, values, step))
        elif step[0] == "m":
            stack[-1] &= int(step[1])
        elif step[0] == "!":
            stack[-1] = int(not stack[-1])
        elif step[0] == "~":
            stack[-1] ^= MASK
        elif step[0] == "?":
            third, second, first = stack.pop(), stack.pop(), stack.pop()
            stack.append(second if first else third)
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(int(OPERATORS[step[0]](left, right)) & MASK)
    return stack[-1]


def show_number(value, bits, base, flags, width, precision):
    """A number as printf shows it"""
    value &= (1 << bits) - 1
    if flags & 1 and value >> bits - 1:
        value -= 1 << bits
    digits = {8: "%o", 10: "%d", 16: "%X" if flags & 2 else "%x"}[base] % abs(value)
    if precision >= 0:
        digits = "" if precision == 0 and value == 0 else digits.rjust(precision, "0")
    head = "-" if value < 0 else ""
    if flags & 4 and value and base == 16:
        head = "0X" if flags & 2 else "0x"
    if flags & 4 and base == 8 and not digits.startswith("0"):
        digits = "0" + digits
    if flags & 8:
        return (head + digits).ljust(width)
    if flags & 16 and precision < 0:
        digits = digits.rjust(width - len(head), "0")
    return (head + digits).rjust(width)


def show_flags(value, delimiter, names):
    """The names of a number's bits"""
    words = []
    if value >> 63:
        value -= 1 << 64
    for number, name in names:
        number = int(number)
        if not value and number < 0:
            words.append(name)
            break
        if number > 0 and value & number == number:
            words.append(name)
            value &= ~number
    return delimiter.join(words + ([f"0x{value & MASK:x}"] if value else []))


def show_state(value, letters):
    """The letters of a task's state"""
    found = [letter for bit, letter in enumerate(letters) if letter != " " and value >> bit & 1]
    return "|".join(found) or "R"


def show_text(text, width, precision, left):
    """A text"""
    text = text.split("\0")[0]
    if precision >= 0:
        text = text[:precision]
    return text.ljust(width) if left else text.rjust(width)


def run_op(kind, values, name, rest):
    """What an operation of a plan prints"""
    if name == "t":
        return rest[0]
    if name == "s":
        return show_text(values[rest[0]], *rest[1:])
    value = evaluate(kind, values, rest[0])
    if name == "n":
        return show_number(value, *rest[1:])
    if name == "p":
        return f"0x{value:x}" if value else "(nil)"
    if name == "F":
        return show_flags(value, *rest[1:])
    if name == "S":
        return dict((int(number) & MASK, text) for number, text in reversed(rest[1])).get(
            value, f"0x{value:x}")
    return show_state(value, rest[1])


def run_plan(kind, fields):
    """The text of an event"""
    values = list(fields.values())
    text, at, plan = "", 0, kind["plan"]
    while at < len(plan):
        name, *rest = plan[at]
        at += 1
        if name == "j":
            at += rest[0]
        elif name == "z":
            at += rest[1] if not evaluate(kind, values, rest[0]) else 0
        else:
            text += run_op(kind, values, name, rest)
    return text.rstrip("\n")


def escape(text):
    """Control characters as report prints them"""
    return "".join(character if character >= " " and character != "\x7f" and
                   not "\x80" <= character < "\xa0" else f"\\x{ord(character):02x}"
                   for character in text)


def line_of(page, event):
    """The lines of an event or a loss, as "tring report -t" prints them"""
    moment, task, kind, fields, text = event
    cpu = page.trace["cpus"][moment.cpu]
    if moment.kind == LOSS:
        return ([f"CPU:{cpu} [LOST {fields['events']} EVENTS]"] if fields["events"] else []) + \
            ([f"CPU:{cpu} [{fields['packets']} PACKETS MISSING]"] if fields["packets"] else [])
    ticks = page.stamp(moment.time)
    ns = ticks * 1000000000 // page.trace["frequency"]
    name = f"{escape(task[1]):>16s}-{task[0]:<7d}"
    head = f"{name} [{cpu:03d}] {moment.context} {ns // 1000000000:6d}.{ns % 1000000000:09d}: "
    if kind:
        head += f"{kind['name']}:".ljust(22)
        if len(kind["name"]) >= 21:
            head = head.rstrip() + " "
    return (head + text).split("\n")


def check_lines(page, text):
    """Compares all lines"""
    wanted = text.split("\n")[:-1]
    found = [line for event in page.events() for line in line_of(page, event)]
    for number, (left, right) in enumerate(zip(found, wanted)):
        if left != right:
            sys.exit(f"line {number + 1}:\n{left!r}\n{right!r}")
    if len(found) != len(wanted):
        sys.exit(f"{len(found)} lines instead of {len(wanted)}")
    return len(found)


def check_json(page, text):
    """Compares all fields"""
    wanted = [json.loads(line) for line in text.split("\n")[1:-1]]
    count = 0
    for event, want in zip(page.events(), wanted, strict=True):
        moment, task, kind, fields, _ = event
        count += 1
        if moment.kind == LOSS:
            assert {"events": fields["events"], "packets": fields["packets"]} == want["lost"]
            continue
        assert page.trace["cpus"][moment.cpu] == want["cpu"], want
        assert task == (want["pid"], want["comm"] or "<...>"), (task, want)
        if kind is None:
            continue
        assert (kind["system"], kind["name"]) == (want["system"], want["event"]), want
        for field in kind["fields"]:
            # a page has no text that is missing
            value = want["fields"][field["name"]]
            if field.get("was") != "function":
                assert fields[field["name"]] == ("" if value is None else value), (fields, want)
    return count


STATES = {0: "blocked", 1: "runnable", 2: "runnable", 3: "runnable", 4: "runnable", 5: "blocked", 6: "unknown",
          7: "unknown"}
LETTERS = "SDTtXZPI"


def end_state(state):
    """The state of a task that has left a CPU, as the table slices has it"""
    if not state:
        return None
    state -= 1
    letters = "".join(letter for bit, letter in enumerate(LETTERS) if state >> bit & 1)
    return (letters or "R") + ("+" if state >> len(LETTERS) else "")


def row_of(page, interval):
    """An interval as a row of a table of "tring sql", without names"""
    def time(ticks):
        return page.stamp(ticks) * 1000000000 // page.trace["frequency"]

    def cpu():
        return page.trace["cpus"][interval.cpu]

    row = time(interval.start), time(interval.end)
    if interval.type == RUN:
        return "slices", (*row, cpu(), interval.pid, end_state(interval.b),
                          interval.a >> 2 & 1)
    if interval.type == WAIT:
        # a wait for a CPU has the waker of the wait before it
        blocked = interval.a == 5
        return "waits", (*row, interval.pid, STATES[interval.a & 7],
                         interval.waker if blocked else None, interval.a >> 3 & 1)
    if interval.type == INTERRUPT:
        level = ("irqs", "softirqs")[interval.a & 1]
        number, name = page.trace["spans"][level][interval.a >> 1]
        return "irqs", (*row, cpu(), interval.pid, level[:-1],
                        number if number < 1 << 31 else None, name)
    if interval.type == SPAN:
        return "spans", (*row, interval.pid, *page.trace["spans"]["marks"][interval.a],
                         interval.b)
    if interval.type == COUNTER:
        return "counters", (row[0], interval.pid,
                            *page.trace["spans"]["counters"][interval.a],
                            interval.b >> 1 ^ -(interval.b & 1))
    if interval.type == CALL:
        number, name = page.trace["spans"]["calls"][interval.a]
        return "syscalls", (*row, interval.pid, number, name, interval.b == 2)
    return "losses", (interval.a, interval.b, cpu())


def wanted_row(table, row):
    """A row of "tring sql", as row_of()"""
    common = tuple((row.get(key) or 0) & MASK for key in ("from_ts", "to_ts"))
    if table == "slices":
        return (*common, row["cpu"], row["pid"], row["end_state"], row["open"])
    if table == "waits":
        return (*common, row["pid"], row["state"],
                row["waker"] if row["state"] == "blocked" else None, row["open"])
    if table == "irqs":
        return (*common, row["cpu"], row["pid"], row["kind"], row["number"], row["name"])
    if table == "spans":
        return (*common, row["pid"], row["process"], row["name"], row["depth"])
    if table == "counters":
        return common[0], row["pid"], row["process"], row["name"], row["value"]
    if table == "syscalls":
        failed = row["result"] is not None and -4095 <= row["result"] < 0
        return (*common, row["pid"], row["number"], row["name"], failed)
    return row["events"], row["packets"], row["cpu"]


def check_marks(page):
    """What programs have marked is not known while events were lost"""
    rows = list(page.intervals())
    for row in rows:
        for gap in rows if row.type in (SPAN, COUNTER) else []:
            if gap.type == GAP and min(row.end, gap.end) > max(row.start, gap.start):
                sys.exit(f"{row} goes on over {gap}")


def check_intervals(page, tables):
    """Compares all intervals with tables of "tring sql". Returns their numbers."""
    check_marks(page)
    found = collections.defaultdict(collections.Counter)
    for interval in page.intervals():
        if interval.type in (NEVER, TEXT) or (interval.type in (RUN, WAIT) and
                                      interval.start == interval.end):
            continue
        table, row = row_of(page, interval)
        found[table][row] += 1
    counts = []
    for table, text in tables.items():
        if text is None:
            continue
        wanted = collections.Counter(wanted_row(table, row) for row in json.loads(text))
        if found[table] != wanted:
            sys.exit(f"{table}: page only {list((found[table] - wanted).items())[:5]}, "
                     f"sql only {list((wanted - found[table]).items())[:5]}")
        counts.append(f"{sum(wanted.values())} {table}")
    return ", ".join(counts)


def output(*command, refusal=None):
    """What a command prints; None if it refuses. Its status tells of the trace, not of the command."""
    result = subprocess.run(command, check=False, capture_output=True)
    if refusal and refusal in result.stderr:
        return None
    assert result.returncode in (0, 1), result
    return result.stdout.decode(errors="surrogateescape")


def make(tring, trace, *options):
    """The page of a trace"""
    output(tring, "page", *options, "-o", trace + ".html", trace)
    return Page(trace + ".html")


def main():
    """Compares"""
    if len(sys.argv) == 2:
        page = Page(sys.argv[1])
        for event in page.events():
            print(*line_of(page, event), sep="\n")
        print(len(list(page.intervals())), file=sys.stderr)
        return
    tring, trace = sys.argv[1:]
    page = make(tring, trace, "--addresses")
    print(check_lines(page, output(tring, "report", "-t", trace)), "lines,",
          check_json(page, output(tring, "report", "--json", trace)), "events")
    print(check_intervals(page, {
        table: output(tring, "sql", "-o", "json", trace, f"SELECT * FROM {table}",
                      refusal=b"the trace has no events for the table")
        for table in ("slices", "waits", "irqs", "syscalls", "spans", "counters",
                      "losses")}))


if __name__ == "__main__":
    main()
