// SPDX-License-Identifier: GPL-2.0
// A piece of the trace: some thousand moments (events and losses) one after another, and what
// begins and ends in it. The writer has computed that; here it is only sorted into lanes.

// What a row of a lane is: begin, end, value; others may have columns of their own.
class Chunk {
	constructor(count, extra = []) {
		this.begin = new Float64Array(count);
		this.end = new Float64Array(count);
		this.value = new Float64Array(count);
		for (const name of extra)
			this[name] = new Int32Array(count);
		this.names = ["begin", "end", "value", ...extra];
		this.count = 0;
		this.lanes = new Map();
	}

	add(begin, end, value) {
		this.begin[this.count] = begin;
		this.end[this.count] = end;
		this.value[this.count] = value;
		return this.count++;
	}

	// The rows in the order of their ends, which they mostly have.
	sorted() {
		let ascends = true;

		for (let i = 1; i < this.count; i++)
			ascends &&= this.end[i - 1] <= this.end[i];
		if (ascends)
			return this;
		return this.rows([...Array(this.count).keys()]
			.sort((a, b) => this.end[a] - this.end[b]));
	}

	// The first row that ends at a time or later.
	first(time) {
		return firstAbove(this.end, time - 0.5, 0, this.count);
	}

	rows(indexes) {
		const part = new Chunk(indexes.length, this.names.slice(3));

		for (const name of this.names)
			for (let i = 0; i < indexes.length; i++)
				part[name][i] = this[name][indexes[i]];
		part.count = indexes.length;
		part.whos = this.whos;
		return part;
	}

	// Finds the rows of each key of a column: of CPUs or tasks. A lane is made when it is asked
	// for, because there may be 100,000 tasks.
	split(column) {
		const rowsOf = new Map();

		for (let i = 0; i < this.count; i++) {
			const key = this[column][i];
			const rows = rowsOf.get(key);

			if (rows)
				rows.push(i);
			else
				rowsOf.set(key, [i]);
		}
		this.lanes.set(column, rowsOf);
		// of a few keys all lanes are made here, which is not while a frame is drawn
		if (rowsOf.size <= fewKeys)
			for (const key of rowsOf.keys())
				this.lane(column, key);
		return rowsOf;
	}

	// The rows that have a key, with a value in place of their own, if one is given.
	lane(column, key, value) {
		const lanes = this.lanes.get(column) || this.split(column);
		let part = lanes.get(key) || noRows;

		if (Array.isArray(part)) {
			part = this.rows(part);
			lanes.set(key, part);
		}
		if (value === undefined)
			return part;
		part.same ||= Object.assign(new Chunk(0), part,
			{ value: new Float64Array(part.count).fill(value) });
		return part.same;
	}
}

const noRows = new Chunk(0);
const fewKeys = 64;

class Piece {
	// row: that of the index
	constructor(machine, [id, first, last, moments]) {
		this.machine = machine;
		this.id = id;
		this.first = machine.timeOf(first);
		this.last = machine.timeOf(last);
		this.moments = moments;
		this.loading = null;
		this.ready = false;
		this.fields = null;
		this.summary = null;
		this.summaryLoading = null;
		this.used = 0;
	}

	// Decodes it, once. What is loaded was used now, or it would be the first to go.
	load() {
		this.used = ++useCount;
		this.loading ||= unpack(`t${this.id}${this.machine.suffix}`).then((bytes) => {
			this.decode(columnsOf(bytes));
			this.ready = true;
			keepFew(this);
		});
		return this.loading;
	}

	// Its summary; if that is not there yet, it is called when it is.
	summaryOr(called) {
		this.summaryLoading ||= loadSummary(this.machine, `s${this.id}`)
			.then((summary) => {
				this.summary = summary;
				called();
			});
		return this.summary;
	}

	// Gives its memory back.
	drop() {
		for (const name of ["time", "cpu", "kind", "whose", "context", "stored", "lossAt",
			"runs", "waits", "irqs", "calls"])
			this[name] = undefined;
		this.fields = this.loading = null;
		this.ready = false;
	}

	decode(columns) {
		const count = columns[0].number(), whoCount = columns[0].number();
		const base = columns[0].number();
		const machine = this.machine;

		this.whos = Array.from({ length: whoCount }, () =>
			({ pid: columns[1].signed(), comm: columns[1].text() }));
		this.whoTask = Int32Array.from(this.whos, ({ pid }) => machine.taskNumber(pid));
		this.time = timesOf(columns[2], columns[3], count, base)
			.map((ticks) => machine.timeOf(ticks));
		this.cpu = numbers(columns[4], count, Uint16Array);
		this.kind = numbers(columns[5], count, Uint16Array);
		this.decodeRest(columns.slice(6, 9), count);
		this.decodeLosses(columns[9]);
		this.decodeIntervals(columns.slice(10));
		for (const [name, column] of [["runs", "cpu"], ["runs", "task"], ["waits", "task"],
			["irqs", "place"], ["calls", "task"]]) {
			this[name] = this[name].sorted();
			// here, so that no frame has to wait for it
			this[name].split(column);
		}
	}

	// Numbers that are in the order of kinds, and then in that of the kind that the CPU had
	// before. A task of 0 is that of the CPU's last moment.
	decodeRest(columns, count) {
		const lastKind = [], lastWho = [];
		const kinds = this.machine.index.kinds.length + 2;
		const before = this.cpu.map((cpu, i) => {
			const kind = lastKind[cpu] ?? 0;

			lastKind[cpu] = this.kind[i];
			return kind;
		});
		const order = orderOf(this.kind, kinds, orderOf(before, kinds));

		["whose", "context", "stored"].forEach((name, at) => {
			this[name] = new Int32Array(count);
			for (const i of order)
				this[name][i] = columns[at].number();
		});
		this.cpu.forEach((cpu, i) => {
			this.whose[i] = lastWho[cpu] = this.whose[i] ? this.whose[i] - 1 :
				lastWho[cpu] ?? 0;
		});
	}

	decodeLosses(column) {
		this.lossAt = new Map();
		this.kind.forEach((kind, i) => {
			if (kind === 0)
				this.lossAt.set(i, { events: column.number(),
					packets: column.number() });
		});
	}

	// The moments of kinds that a column names.
	placesOf(column) {
		const kinds = new Set(numbers(column, column.ended ? 0 : column.number()));
		const places = [];

		this.kind.forEach((kind, i) => {
			if (kinds.has(kind))
				places.push(i);
		});
		return places;
	}

	// What begins and ends at moments: [to, back, and a column for each name]
	group([to, back, ...columns], names, extra = []) {
		const lasts = this.placesOf(to), firsts = this.placesOf(back), ends = [];

		for (let at = 0; !to.ended; )
			ends.push(lasts[at += to.signed()]);
		const chunk = new Chunk(ends.length, [...names.filter((name) => name !== "value"),
			"task", ...extra]);

		for (const end of ends)
			chunk.add(this.time[firsts[firstAbove(firsts, end - 1) - back.number()]],
				this.time[end], 0);
		names.forEach((name, at) => {
			for (let i = 0; i < chunk.count; i++)
				chunk[name][i] = columns[at].number();
		});
		// the task and the CPU of a row are mostly those of its last moment
		ends.forEach((end, i) => {
			if (chunk.cpu)
				chunk.cpu[i] = chunk.cpu[i] ? chunk.cpu[i] - 1 : this.cpu[end];
			chunk.whose[i] = chunk.whose[i] ? chunk.whose[i] - 1 : this.whose[end];
			chunk.task[i] = this.whoTask[chunk.whose[i]];
		});
		chunk.whos = this.whos;
		chunk.ends = ends;
		return chunk;
	}

	decodeIntervals(columns) {
		const runs = this.runs = this.group(columns.slice(0, 6),
			["cpu", "whose", "flags", "state"]);
		const waits = this.waits = this.group(columns.slice(6, 10), ["whose", "state"],
			["wakerCpu", "waker"]);
		const irqs = this.irqs = this.group(columns.slice(10, 15),
			["cpu", "whose", "value"], ["place"]);

		this.calls = this.group(columns.slice(15, 20), ["whose", "value", "result"]);
		runs.value.set(runs.task);
		waits.ends.forEach((end, i) => {
			waits.value[i] = doingOfWait[waits.state[i] & 7];
			waits.wakerCpu[i] = this.cpu[end];
			waits.waker[i] = this.whos[this.whose[end]].pid;
		});
		for (let i = 0; i < irqs.count; i++)
			irqs.place[i] = irqs.cpu[i] * 2 + irqs.value[i] % 2;
	}
}

// wait.state of the format -> what the row of a task shows
const doingOfWait = [3, 2, 2, 2, 2, 3, 0, 0];
// those that the tables count by themselves, and the one whose waker is known
const wakeupWait = 1, wokenBlocked = 5, endedUnknown = 7;

// Of a trace of millions of events only so many pieces are kept unpacked.
const keptPieces = [];
const piecesKept = 160;
let useCount = 0;

function keepFew(piece) {
	keptPieces.push(piece);
	while (keptPieces.length > piecesKept) {
		let oldest = 0;

		for (let i = 1; i < keptPieces.length; i++)
			if (keptPieces[i].used < keptPieces[oldest].used)
				oldest = i;
		keptPieces.splice(oldest, 1)[0].drop();
	}
}
