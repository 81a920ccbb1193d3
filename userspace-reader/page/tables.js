// SPDX-License-Identifier: GPL-2.0
// The tables of "tring top" for a time, from the intervals that the writer has computed. They are
// the same numbers: a test compares them with those of "tring top --json --from --to".

// Columns: name and unit, as stats/table_*.c has them. The text of a row is behind its numbers.
const durations = (first, count) => [[first, "count"], [count, "count"], ["total-ms", "ms"],
	["mean-us", "us"], ["max-us", "us"], ["max-at", "stamp"], ["unknown", "count"]];

const tables = {
	cpu: { title: "CPUs", text: null, sort: "cpu", columns: [["cpu", "count"],
		["events", "count"], ["lost", "count"], ["busy-%", "part"], ["idle-%", "part"],
		["unknown-%", "part"], ["irq-%", "part"], ["softirq-%", "part"]] },
	sched: { title: "Tasks", text: "task", sort: "running-s", columns: [["pid", "count"],
		["running-s", "s"], ["cpu-%", "part"], ["waiting-s", "s"], ["blocked-s", "s"],
		["unknown-s", "s"], ["switches", "count"], ["migrations", "count"]] },
	wakeup: { title: "Times from a wakeup to a CPU", text: "task", sort: "max-us",
		columns: durations("pid", "wakeups") },
	irq: { title: "Interrupts", text: "name", sort: "total-ms",
		columns: durations("irq", "count") },
	softirq: { title: "Softirqs", text: "name", sort: "total-ms",
		columns: durations("softirq", "count") },
	syscall: { title: "System calls", text: "name", sort: "total-ms",
		columns: [...durations("nr", "count"), ["failed", "count"]] },
	events: { title: "Events", text: "event", sort: "events", columns: [["events", "count"],
		["events/s", "part"], ["bytes-%", "part"], ["bytes", "count"],
		["bytes/event", "part"]] },
	rate: { title: "Events over time", text: null, sort: "from", columns: [["from", "stamp"],
		["events", "count"], ["events/s", "part"], ["bytes", "count"], ["lost", "count"]] },
	losses: { title: "Losses", text: null, sort: "events", columns: [["cpu", "count"],
		["from", "stamp"], ["to", "stamp"], ["ms", "ms"], ["events", "count"],
		["packets", "count"]] },
};

class Timing {
	constructor() {
		this.count = this.total = this.most = this.mostAt = this.unknown = this.failed = 0;
	}

	add(begin, end) {
		const length = end - begin;

		if (!this.count++ || length > this.most) {
			this.most = length;
			this.mostAt = end;
		}
		this.total += length;
	}

	row(number, text) {
		const some = this.count > 0;

		return { values: [number, this.count, this.total,
			some ? Math.floor(this.total / this.count) : null, some ? this.most : null,
			some ? this.mostAt : null, this.unknown], text };
	}
}

const taskDead = 0x30;

// What is counted of one machine in one time.
class Count {
	constructor(machine, from, to) {
		this.machine = machine;
		this.from = from;
		this.to = to;
		this.cpus = machine.cpus.map(() => ({ events: 0, lost: 0, busy: 0, idle: 0, irq: 0,
			softirq: 0 }));
		this.lives = new Map();
		this.deaths = new Map();
		this.names = new Map();
		this.spans = { irq: new Map(), softirq: new Map(), syscall: new Map() };
		this.kinds = machine.index.kinds.map(() => ({ events: 0, bytes: 0 }));
		this.leftOut = (machine.index.left_out || "").split(" ");
	}

	// The recording has left out some of these on purpose.
	lacksSome(...what) {
		return what.some((one) => this.leftOut.includes(one));
	}

	// Returns whether it was counted to the end, for which goOn(piece) has to be true each
	// time.
	async run(goOn) {
		const machine = this.machine;

		this.startRate();
		this.findDeaths(machine.long);
		let whole = true;

		await machine.eachPiece(this.from, this.to, (piece) => {
			this.countMoments(piece);
			this.findDeaths(piece);
			this.addIntervals(piece);
			return whole = goOn(piece);
		});
		if (!whole)
			return false;
		this.addIntervals(machine.long);
		this.countUnknown();
		this.countLosses();
		return true;
	}

	// Events are counted from the first one on, if the time begins before it.
	startRate() {
		this.begin = Math.max(this.machine.pieces[0]?.first ?? this.from, this.from);
		this.width = 1000;
		for (let doubled = false; Math.floor((this.to - this.begin) / this.width) >= 50;
			doubled = !doubled)
			this.width *= doubled ? 5 : 2;
		this.slots = Array.from({ length: Math.max(0,
			Math.floor((this.to - this.begin) / this.width)) + 1 },
		() => ({ events: 0, bytes: 0, lost: 0 }));
	}

	slotOf(time) {
		const slot = Math.floor((time - this.begin) / this.width);

		return this.slots[clamp(slot, 0, this.slots.length - 1)];
	}

	countMoments(piece) {
		const { time, kind, cpu, stored, whose } = piece;
		let i = firstAbove(time, this.from - 0.5);
		const last = new Float64Array(piece.whos.length).fill(-1);

		for (; i < time.length && time[i] <= this.to; i++) {
			last[whose[i]] = time[i];
			if (kind[i] === 0)
				continue;
			const slot = this.slotOf(time[i]);

			this.cpus[cpu[i]].events++;
			slot.events++;
			slot.bytes += stored[i];
			if (kind[i] < 2)
				continue;
			this.kinds[kind[i] - 2].events++;
			this.kinds[kind[i] - 2].bytes += stored[i];
		}
		piece.whos.forEach(({ comm }, at) => this.learn(piece.whoTask[at], comm, last[at]));
	}

	// A task is called what it was called last in the time.
	learn(task, comm, time) {
		if (time < 0)
			return;
		if (!this.names.has(task))
			this.names.set(task, []);
		this.names.get(task).push([time, comm]);
	}

	learnFrom(chunk, i) {
		if (chunk.whos)
			this.learn(chunk.task[i], chunk.whos[chunk.whose[i]].comm,
				Math.min(chunk.end[i], this.to));
	}

	nameOf(life) {
		const known = (this.names.get(life.task) || [])
			.filter(([time]) => time <= life.ended)
			.reduce((best, one) => best && best[0] >= one[0] ? best : one, null);

		return known ? known[1] : trace.tasks[life.task].comm;
	}

	addIntervals(source) {
		this.countRuns(source);
		this.countWaits(source);
		this.countIrqs(source);
		this.countCalls(source);
	}

	// The part of an interval that lies in the time.
	part(chunk, i) {
		return Math.min(chunk.end[i], this.to) - Math.max(chunk.begin[i], this.from);
	}

	countRuns({ runs }) {
		for (let i = runs.first(this.from); i < runs.count; i++) {
			const part = this.part(runs, i);

			if (part < 0)
				continue;
			const cpu = this.cpus[runs.cpu[i]];

			if (runs.task[i] < 0) {
				cpu.idle += part;
				continue;
			}
			cpu.busy += part;
			const life = this.lifeOf(runs, i);

			if (runs.end[i] <= this.to)
				this.learnFrom(runs, i);
			life.running += part;
			if (runs.flags[i] & 1 && runs.begin[i] >= this.from) {
				life.switches++;
				life.migrations += runs.flags[i] & 8 ? 1 : 0;
			}
		}
	}

	// When tasks have ended: another one may get the pid.
	findDeaths({ runs }) {
		for (let i = 0; i < runs.count; i++) {
			if (!(runs.flags[i] & 2) || !(runs.state[i] - 1 & taskDead))
				continue;
			const deaths = this.deaths.get(runs.task[i]) || [];

			deaths.push(runs.end[i]);
			this.deaths.set(runs.task[i], deaths.sort((a, b) => a - b));
		}
	}

	lifeOf(chunk, i) {
		const task = chunk.task[i];
		const lives = this.deaths.get(task);
		const number = lives ? firstAbove(lives, chunk.begin[i]) : 0;
		const key = `${task}.${number}`;
		let life = this.lives.get(key);

		if (!life) {
			life = { task, running: 0, waiting: 0, blocked: 0, unknown: 0, switches: 0,
				migrations: 0, wakeups: new Timing(),
				ended: lives?.[number] ?? Infinity };
			this.lives.set(key, life);
		}
		return life;
	}

	countWaits({ waits }) {
		for (let i = waits.first(this.from); i < waits.count; i++) {
			const part = this.part(waits, i);

			if (part < 0)
				continue;
			const life = this.lifeOf(waits, i);

			// no task gets another name while it waits
			this.learnFrom(waits, i);
			const state = waits.state[i] & 7;
			const was = this.seemed(waits, i);

			life[["unknown", "running", "waiting", "blocked"][was]] += part;
			if (waits.end[i] > this.to || waits.state[i] & 8)
				continue;
			if (state === wakeupWait)
				life.wakeups.add(waits.begin[i], waits.end[i]);
			life.wakeups.unknown += state === endedUnknown ? 1 : 0;
		}
	}

	// What is unknown because of its end may have seemed to be known before.
	seemed(waits, i) {
		const seemed = waits.state[i] >> 4;

		return waits.end[i] > this.to && seemed ?
			[0, doing.runnable, doing.blocked][seemed] :
			doingOfWait[waits.state[i] & 7];
	}

	timingOf(what, span) {
		const spans = this.spans[what];

		if (!spans.has(span))
			spans.set(span, new Timing());
		return spans.get(span);
	}

	countIrqs({ irqs }) {
		for (let i = irqs.first(this.from); i < irqs.count; i++) {
			const what = irqs.place[i] % 2 ? "softirq" : "irq";

			if (this.addSpan(what, irqs.value[i] >> 1, irqs, i))
				this.cpus[irqs.cpu[i]][what] += this.part(irqs, i);
		}
	}

	countCalls({ calls }) {
		for (let i = calls.first(this.from); i < calls.count; i++) {
			const timing = this.addSpan("syscall", calls.value[i], calls, i);

			if (timing)
				timing.failed += calls.result[i] === 2 ? 1 : 0;
		}
	}

	// Returns what it was added to; nothing if it has not ended: its length is not known then.
	addSpan(what, span, chunk, i) {
		if (chunk.begin[i] > this.to)
			return null;
		const timing = this.timingOf(what, span);

		if (chunk.end[i] > this.to) {
			timing.unknown++;
			return null;
		}
		timing.add(chunk.begin[i], chunk.end[i]);
		return timing;
	}

	// What was begun and lost sight of, before the time too.
	countUnknown() {
		const { given } = this.machine.long;

		for (let i = 0; i < given.count; i++)
			if (given.begin[i] <= this.to)
				this.timingOf(["irq", "softirq", "syscall"][given.level[i]],
					given.value[i]).unknown++;
	}

	countLosses() {
		this.losses = trace.losses.filter((loss) => loss.machine === this.machine &&
			loss.end >= this.from && (loss.begin <= this.to || !(loss.flags & 1)));
		for (const loss of this.losses) {
			this.cpus[loss.cpu.place].lost += loss.events;
			this.slotOf(Math.min(loss.end, this.to)).lost += loss.events;
		}
	}

	rows(table) {
		if (this.machine.index.lacks[table])
			return [];
		return this.spans[table] ? this.spanRows(table) : this[`rows_${table}`]();
	}

	ratio(part, whole, factor) {
		return whole > 0 ? Math.floor(part * factor / whole + 0.5) : null;
	}

	rows_cpu() {
		const all = this.to - this.begin;
		const { lacks } = this.machine.index;
		const share = (ticks, lack) => lack ? null : this.ratio(ticks, all, 100000);
		const some = this.lacksSome("tasks", "irq");

		return this.cpus.map((cpu, i) => ({ values: [this.machine.cpus[i].cpu, cpu.events,
			cpu.lost, share(cpu.busy, lacks.sched), share(cpu.idle, lacks.sched),
			share(Math.max(0, all - cpu.busy - cpu.idle), lacks.sched),
			share(cpu.irq, lacks.irq || some),
			share(cpu.softirq, lacks.softirq || some)] }));
	}

	// Of a task that was not to be recorded all is unknown.
	switchesOf(life) {
		const known = life.running || life.waiting || life.blocked;

		return this.lacksSome("cpus", "sched") || (this.lacksSome("tasks") && !known) ?
			[null, null] : [life.switches, life.migrations];
	}

	rows_sched() {
		return [...this.lives.values()].filter((life) => life.running || life.waiting ||
			life.blocked || life.unknown || life.switches).map((life) => ({ values: [
			trace.tasks[life.task].pid, life.running,
			this.ratio(life.running, this.to - this.begin, 100000), life.waiting,
			life.blocked, life.unknown, ...this.switchesOf(life)],
		text: this.nameOf(life), task: life.task }));
	}

	rows_wakeup() {
		return [...this.lives.values()].filter(({ wakeups }) => wakeups.count ||
			wakeups.unknown).map((life) => ({
			...life.wakeups.row(trace.tasks[life.task].pid,
				this.nameOf(life)), task: life.task }));
	}

	spanRows(what) {
		const list = this.machine.spans[what === "syscall" ? "calls" : `${what}s`];

		return [...this.spans[what]].map(([span, timing]) => {
			const row = timing.row(list[span][0], list[span][1] ?? "");

			if (what === "syscall")
				row.values.push(timing.failed);
			return row;
		});
	}

	rows_events() {
		const bytes = sumOf(this.kinds, (kind) => kind.bytes);
		const seconds = (this.to - this.begin) / 1e9;
		const rows = [];

		this.kinds.forEach((kind, i) => {
			if (kind.events)
				rows.push({ values: [kind.events,
					this.ratio(kind.events, seconds, 1000),
					this.ratio(kind.bytes, bytes, 100000), kind.bytes,
					this.ratio(kind.bytes, kind.events, 1000)],
				text: this.machine.index.kinds[i].name });
		});
		return rows;
	}

	rows_rate() {
		return this.slots.map((slot, i) => {
			const from = this.begin + i * this.width;
			const until = Math.min(from + this.width, this.to);

			return { values: [from, slot.events,
				this.ratio(slot.events, (until - from) / 1e9, 1000), slot.bytes,
				slot.lost] };
		});
	}

	rows_losses() {
		return this.losses.map((loss) => {
			const from = loss.flags & 1 ? loss.begin : null;
			// behind the time its end is not looked for
			const to = loss.flags & 2 && loss.end <= this.to ? loss.end : null;

			return { values: [loss.cpu.cpu, from, to,
				from !== null && to !== null ? to - from : null, loss.events,
				loss.packets] };
		});
	}
}

async function countTime(machine, from, to, goOn = () => true) {
	const count = new Count(machine, from, to);

	return await count.run(goOn) ? count : null;
}

// A number with all its digits, as --json has it; null if it is not known
function valueText(machine, unit, value) {
	if (value === null)
		return "null";
	const digits = { count: 0, part: 3, s: 9, ms: 6, us: 3, stamp: 9 }[unit];

	if (!digits)
		return String(value);
	return fixed(unit === "stamp" ? machine.stampOf(value) : BigInt(Math.round(value)), digits);
}

// 1234567n with 3 digits -> "1234.567"
function fixed(number, digits) {
	const text = (number < 0n ? -number : number).toString().padStart(digits + 1, "0");

	return `${number < 0n ? "-" : ""}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function sortRows(name, rows, column = tables[name].sort, reverse = false) {
	const { columns } = tables[name];
	const at = columns.findIndex(([one]) => one === column);
	const ascending = ["cpu", "pid", "from", "irq", "softirq", "nr", "max-at", "to"]
		.includes(column) !== reverse;

	return rows.sort((a, b) => {
		if (at < 0)
			return (a.text < b.text ? -1 : 1) * (reverse ? -1 : 1);
		const [x, y] = [a.values[at], b.values[at]];

		if (x === null || y === null)
			return (x === null) - (y === null);
		return ascending ? x - y : y - x;
	});
}
