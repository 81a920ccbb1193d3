// SPDX-License-Identifier: GPL-2.0
// What programs have written to trace_marker: each text is a mark below its task; and by the
// convention of Android's programs, "B|PID|NAME" and "E" are the begin and the end of a span,
// "C|PID|NAME|VALUE" is a counter.

const mostMarkers = 1000000;

class Markers {
	constructor(machine) {
		this.machine = machine;
		this.names = [];
		this.numbers = new Map();
		// of each task: spans that have begun, [name, begin], and the rows of its lanes
		this.open = new Map();
		this.rows = new Map();
		this.counters = new Map();
		this.count = 0;
		this.losses = trace.losses.filter((loss) => loss.machine === machine);
		this.lossesSeen = 0;
	}

	take(task, time, text) {
		// what has begun may have ended in a loss, and something else have begun
		for (; this.losses[this.lossesSeen]?.begin < time; this.lossesSeen++)
			this.open.clear();
		const [what, , name, value] = text.replace(/\n$/, "").split("|");
		const open = this.open.get(task) || [];

		this.open.set(task, open);
		if (what === "B" && name) {
			open.push([name, time]);
		} else if (what === "E") {
			const [begun, begin] = open.pop() || [];

			if (begun)
				this.add(task, open.length + 1, begin, time, begun);
		} else if (what === "C" && name && isFinite(value)) {
			this.step(name, time, Number(value));
		} else {
			this.add(task, 0, time, time, text);
		}
	}

	add(task, depth, begin, end, name) {
		const key = `${task}/${depth}`;

		if (!this.numbers.has(name))
			this.numbers.set(name, this.names.push(name) - 1);
		if (!this.rows.has(key))
			this.rows.set(key, { task, depth, list: [] });
		this.rows.get(key).list.push([begin, end, this.numbers.get(name)]);
	}

	// A counter has a value until the next one, or until a loss.
	step(name, time, value) {
		const list = this.counters.get(name) || [];
		const last = list[list.length - 1];

		if (last)
			last[1] = Math.min(time, this.lossBehind(last[0]));
		list.push([time, this.machine.end, value]);
		this.counters.set(name, list);
	}

	lossBehind(time) {
		return this.losses.find(({ begin }) => begin >= time)?.begin ?? this.machine.end;
	}

	finish() {
		for (const rows of this.counters.values()) {
			const last = rows[rows.length - 1];

			last[1] = this.lossBehind(last[0]);
		}
		const lane = (list) => {
			const chunk = new Chunk(list.length);

			list.forEach((row) => chunk.add(...row));
			return new FixedLane(chunk.sorted());
		};
		const { machine } = this;

		for (const { task, depth, list } of [...this.rows.values()]
			.sort((a, b) => a.depth - b.depth))
			trace.tasks[task].spans.push({ lane: lane(list), instant: depth === 0 });
		machine.counters = [...this.counters].map(([name, list]) =>
			({ key: `m${machine.number}${name}`, name, lane: lane(list) }));
		machine.markers = this.names;
	}
}

// Looks through the trace for markers, once, beside what the user does.
async function readMarkers(machine) {
	const { kinds } = machine.index;
	const kind = kinds.findIndex(({ name, count, fields }) => name === "print" && count &&
		count < mostMarkers && fields.some((field) => field.name === "buf"));
	const markers = new Markers(machine);

	if (kind < 0 || trace.index.detail !== "all")
		return;
	const buffer = kinds[kind].fields.findIndex(({ name }) => name === "buf");

	for (const piece of machine.pieces) {
		await piece.load();
		await loadFields(piece);
		for (let i = 0; i < piece.moments; i++) {
			const task = piece.whoTask[piece.whose[i]];

			if (piece.kind[i] === kind + 2 && task >= 0)
				markers.take(task, piece.time[i],
					String(piece.fields.eventAt(piece, i).values[buffer]));
		}
	}
	markers.finish();
	forgetRows();
	drawSoon();
}
