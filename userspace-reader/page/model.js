// SPDX-License-Identifier: GPL-2.0
// The trace as the other rooms see it: machines with CPUs and tasks, each with lanes. A lane
// gives the chunks that a time needs and that are there; the others are asked for, and the
// picture is drawn again when they have come.

let trace = null;

class Task {
	constructor(machine, number, pid, comm) {
		this.machine = machine;
		this.number = number;
		this.pid = pid;
		this.comm = comm;
		this.key = String(number);
		this.name = comm ? `${comm} ${pid}` : String(pid);
		// what it has marked, by how many spans are around it; and its texts
		this.spans = [];
		this.texts = null;
		this.states = new Lane(machine, (source) => this.statesOf(source));
		this.calls = machine.hasCalls ? new Lane(machine, (source) =>
			[source.calls.lane("task", number)]) : null;
	}

	statesOf({ runs, waits, states }) {
		if (states)
			return [states.lane("task", this.number)];
		const ran = runs.lane("task", this.number, doing.running);
		const waited = waits.lane("task", this.number);

		// the state in which it is blocked is that with which it left its CPU
		waited.sleep ||= Int32Array.from(waited.begin, (begin) => {
			const at = firstAbove(ran.end, begin) - 1;

			return at >= 0 && ran.end[at] === begin ? ran.state[at] - 1 : 0;
		});
		return [ran, waited];
	}
}

// Rows of what is asked for, from all pieces that a time touches.
class Lane {
	// of(source): chunks of a piece, or of what is longer than a piece
	constructor(machine, of) {
		this.machine = machine;
		this.of = of;
	}

	chunks(from, to, pixel) {
		const machine = this.machine;
		const summary = machine.summaryFor(from, to, pixel);

		if (summary)
			return summary.flatMap((one) => this.of(one));
		return [machine.long, ...machine.piecesIn(from, to)].flatMap((one) => this.of(one));
	}
}

// What is known as a whole, like losses.
function fixedLane(chunk) {
	return { chunk, chunks: () => [chunk] };
}

class Machine {
	constructor(index, number) {
		this.index = index;
		this.number = number;
		this.name = index.hostname || index.name || `trace ${number + 1}`;
		this.unit = 2 ** (index.shift || 0) * 1e9 / index.frequency;
		this.base = BigInt(index.base_ns);
		this.wall = index.wall_ns === null ? null : BigInt(index.wall_ns);
		this.offset = 0;
		// behind the names of its blocks
		this.suffix = number ? `_${number}` : "";
		this.taskCount = index.tasks.length;
		this.spans = index.spans;
		this.hasCalls = index.spans.calls.length > 0;
		this.numbers = new Map();
	}

	// Nanoseconds of the trace's clock.
	stampOf(time) {
		return this.base + BigInt(Math.round(time - this.offset));
	}

	timeOf(ticks) {
		return this.offset + ticks * this.unit;
	}

	// -1 for the idle task
	taskNumber(pid) {
		if (pid === 0)
			return -1;
		if (!this.numbers.has(pid))
			this.addTask(pid, "");
		return this.numbers.get(pid);
	}

	addTask(pid, comm) {
		this.numbers.set(pid, trace.tasks.length);
		trace.tasks.push(new Task(this, trace.tasks.length, pid, comm));
	}

	async start() {
		this.cpus = this.index.cpus.map((cpu, place) => this.makeCpu(cpu, place));
		for (const [pid, comm] of this.index.tasks)
			if (pid !== 0)
				this.addTask(pid, comm);
		this.pieces = this.index.pieces.map((row) => new Piece(this, row));
		this.firsts = Float64Array.from(this.pieces, ({ first }) => first);
		this.lasts = Float64Array.from(this.pieces, ({ last }) => last);
		this.long = await loadLong(this);
		this.summary = await loadSummary(this, "z0");
		for (const cpu of this.cpus)
			cpu.losses = fixedLane(this.long.losses.lane("cpu", cpu.place));
		for (const cpu of this.cpus)
			for (const events of cpu.losses.chunk.value)
				cpu.lost += events;
		this.findMarks();
	}

	// What programs have marked.
	findMarks() {
		const { spans, texts, counters } = this.long;

		for (const key of spans.split("place").keys()) {
			const task = trace.tasks[Math.floor(key / deepestSpan)];

			if (task)
				task.spans[key % deepestSpan] =
					fixedLane(spans.lane("place", key));
		}
		for (const task of texts.split("task").keys())
			if (task >= 0)
				trace.tasks[task].texts = fixedLane(texts.lane("task", task));
		this.counters = this.spans.counters.map(([process, name], place) =>
			({ key: `m${this.number}n${place}`, name, process,
				lane: fixedLane(counters.lane("counter", place)) }));
	}

	makeCpu(cpu, place) {
		const { irqs, softirqs } = this.spans;

		return {
			cpu, place, machine: this, key: `m${this.number}c${place}`, lost: 0,
			runs: new Lane(this, (source) => [source.runs.lane("cpu", place)]),
			irqs: irqs.length && new Lane(this, (source) =>
				[source.irqs.lane("place", place * 2)]),
			softirqs: softirqs.length && new Lane(this, (source) =>
				[source.irqs.lane("place", place * 2 + 1)]),
		};
	}

	// What an interrupt, a system call or a marked span is called.
	spanName(what, value) {
		const { calls, marks, irqs, softirqs } = this.spans;
		const [number, name] = what === "call" ? calls[value] :
			what === "span" ? marks[value] : (value % 2 ? softirqs : irqs)[value >> 1];

		return name || `${what} ${number}`;
	}

	// The pieces of a time, as far as they are there; the others are on their way.
	piecesIn(from, to) {
		const pieces = this.pieces.slice(firstAbove(this.lasts, from - 1e-6),
			firstAbove(this.firsts, to));

		for (const piece of pieces) {
			piece.used = ++useCount;
			if (!piece.ready)
				piece.load().then(drawUnpacked);
		}
		return pieces.filter(({ ready }) => ready);
	}

	// The same, when all are there; one after another, so that few are in memory at a time.
	async eachPiece(from, to, visit) {
		const last = firstAbove(this.firsts, to);

		for (let i = firstAbove(this.lasts, from - 1e-6); i < last; i++) {
			await this.pieces[i].load();
			if (await visit(this.pieces[i]) === false)
				break;
		}
	}

	// What is seen from afar: summaries, if a part of them is not wider than two pixels; or
	// null.
	summaryFor(from, to, pixel) {
		const first = firstAbove(this.lasts, from - 1e-6);
		const last = firstAbove(this.firsts, to);

		if (last - first <= piecesSeen || !pixel || !this.summary)
			return null;
		if (this.summary.width <= pixel * 2)
			return [this.long, this.summary];
		const near = this.pieces.slice(first, last)
			.map((piece) => piece.summaryOr(drawUnpacked));

		return [this.long, ...near.filter(Boolean)];
	}
}

// More of them are drawn by their summaries.
const piecesSeen = 12;

async function loadTrace() {
	const index = JSON.parse(decodeText(await unpack("index0")));

	if (index.format !== 6)
		throw new Error(`data of format ${index.format}, which this page does not know`);
	trace = { index, tasks: [], machines: [], losses: [], begin: 0, end: 1 };
	trace.machines = index.traces.map((one, number) => new Machine(one, number));
	alignMachines(trace.machines);
	const alike = trace.machines.map(({ name }) => name).filter((name, i, all) =>
		all.indexOf(name) !== i);

	for (const machine of trace.machines)
		if (alike.includes(machine.name))
			machine.name += ` (${machine.index.name})`;
	for (const machine of trace.machines) {
		await machine.start();
		trace.losses.push(...lossesOf(machine));
		trace.end = Math.max(trace.end, machine.timeOf(machine.index.end));
	}
	trace.wall = trace.machines[0].wall;
	trace.held = sumOf(index.traces, (one) => sumOf(one.pieces, (piece) => piece[4]));
	trace.events = sumOf(index.traces, (one) => one.events);
	trace.lost = sumOf(index.traces, (one) => one.lost);
	trace.hasStacks = index.detail === "all" && index.traces.some(({ kinds }) =>
		kinds.some((kind) => isStack(kind) && kind.count));
}

function sumOf(list, of) {
	return list.reduce((sum, one) => sum + of(one), 0);
}

// Times of several machines are aligned by their wall clocks; those without by their own.
function alignMachines(machines) {
	const walls = machines.every(({ wall }) => wall !== null);
	const starts = machines.map((machine) => walls ? machine.wall : machine.base);
	const first = starts.reduce((a, b) => a < b ? a : b);

	machines.forEach((machine, i) => {
		machine.offset = Number(starts[i] - first);
	});
}

function lossesOf(machine) {
	const { losses } = machine.long;
	const list = [];

	for (let i = 0; i < losses.count; i++)
		list.push({ begin: losses.begin[i], end: losses.end[i], events: losses.value[i],
			packets: losses.packets[i], flags: losses.flags[i],
			cpu: machine.cpus[losses.cpu[i]], machine });
	return list.sort((a, b) => a.begin - b.begin);
}

// What is longer than a piece, or of none, in the order of its numbers in the data: what each kind
// has besides its begin, end and value; and how that is made of what the data have.
const longKinds = {
	runs: [["cpu", "task", "flags", "state"], (cpu, task, a, b) => [task, cpu, task, a, b]],
	waits: [["task", "state", "wakerCpu", "waker"], (cpu, task, a, b, waker) =>
		[doingOfWait[a & 7], task, a, cpu, waker]],
	irqs: [["cpu", "task", "place"], (cpu, task, a) => [a, cpu, task, cpu * 2 + a % 2]],
	calls: [["task", "result"], (cpu, task, a, b) => [a, task, b]],
	given: [["level"], (cpu, task, a, b) => [a, b]],
	spans: [["place"], (cpu, task, a, b) => [a, task * deepestSpan + b]],
	counters: [["counter"], (cpu, task, a, b) => [b, a]],
	losses: [["cpu", "packets", "flags"], (cpu, task, a, b, waker) => [a, cpu, b, waker]],
	texts: [["task"], (cpu, task) => [0, task]],
};
const counterKind = Object.keys(longKinds).indexOf("counters");
// as stats/markers.c has it
const deepestSpan = 512;

async function loadLong(machine) {
	const rows = Object.keys(longKinds).map(() => []);
	const long = {};

	for (let i = 0; i < machine.index.long; i++)
		readLong(machine, columnsOf(await unpack(`l${i}${machine.suffix}`)), rows);
	Object.entries(longKinds).forEach(([kind, [extra]], type) => {
		long[kind] = new Chunk(rows[type].length, extra);
		for (const [begin, end, value, ...more] of rows[type]) {
			const at = long[kind].add(begin, end, value);

			extra.forEach((name, i) => {
				long[kind][name][at] = more[i];
			});
		}
	});
	return long;
}

function readLong(machine, columns, rows) {
	const [head, type, to, length, cpu, pid, a, b, waker] = columns;
	const makers = Object.values(longKinds).map(([, make]) => make);
	let end = 0;

	for (let left = head.number(); left > 0; left--) {
		end += to.signed();
		const begin = end - length.number(), kind = type.number();
		// a counter may have any value of 64 bits
		const value = kind === counterKind ? Number(b.exactSigned()) : b.number();

		rows[kind].push([machine.timeOf(begin), machine.timeOf(end), ...makers[kind](
			cpu.number() - 1, machine.taskNumber(pid.signed()), a.number(), value,
			waker.signed())]);
	}
}
