// SPDX-License-Identifier: GPL-2.0
// What is seen from afar: how long each task and each CPU did what in each part of a time, which
// the writer has added up. A part is a pixel or two, so it does not matter where in it
// something was: what is in a part is drawn side by side, in the order of the block.

// Types: 0 ran, 1 runnable, 2 blocked, 3 unknown, of tasks; 4 irqs and 5 softirqs, of CPUs
const doingOfType = [1, 2, 3, 0], firstInterrupt = 4;

class Summary {
	constructor(machine, columns) {
		const [head, type, part, pid, cpu, ticks] = columns;
		const count = head.number(), parts = head.number();

		this.base = head.number();
		this.tickWidth = 2 ** head.number();
		this.width = this.tickWidth * machine.unit;
		const unit = 2 ** head.number();

		this.machine = machine;
		this.runs = new Chunk(count, ["cpu", "task"]);
		this.irqs = new Chunk(count, ["place"]);
		this.states = new Chunk(count, ["task"]);
		this.calls = noRows;
		const rows = { type: numbers(type, count), part: new Int32Array(count),
			task: new Int32Array(count), cpu: numbers(cpu, count),
			ticks: numbers(ticks, count) };

		for (let i = 0, at = 0, whose = 0; i < count; i++) {
			rows.part[i] = at += part.signed();
			rows.task[i] = machine.taskNumber(whose += pid.signed());
		}
		this.fill(rows, orderOf(rows.part, parts), unit);
		for (const [name, column] of [["runs", "cpu"], ["irqs", "place"],
			["states", "task"]])
			this[name].split(column);
	}

	// What shares a lane comes one after the other in its part.
	fill({ type, part, task, cpu, ticks }, order, unit) {
		let ends = new Map(), now = 0;
		const add = (chunk, key, at, value) => {
			const begin = ends.get(key) ?? this.base + now * this.tickWidth;
			const end = begin + ticks[at] * unit;

			ends.set(key, end);
			return chunk.add(this.machine.timeOf(begin), this.machine.timeOf(end),
				value);
		};

		for (const i of order) {
			// of lanes of CPUs the keys are below 0
			const place = cpu[i] - 1, key = -3 * place - 3;

			if (part[i] !== now)
				ends = new Map();
			now = part[i];
			if (type[i] >= firstInterrupt) {
				const level = type[i] - firstInterrupt;

				this.irqs.place[add(this.irqs, key + level, i, level - 2)] =
					place * 2 + level;
				continue;
			}
			if (type[i] === 0) {
				const row = add(this.runs, key + 2, i, task[i]);

				this.runs.cpu[row] = place;
				this.runs.task[row] = task[i];
			}
			if (task[i] >= 0)
				this.states.task[add(this.states, task[i], i,
					doingOfType[type[i]])] = task[i];
		}
	}
}

// The rows of the first part, of the next one, and so on; in a part as they were.
function orderOf(part, parts, rows = part.keys()) {
	const places = new Int32Array(parts + 2), order = new Int32Array(part.length);

	for (const one of part)
		places[one + 1]++;
	for (let i = 1; i < places.length; i++)
		places[i] += places[i - 1];
	for (const i of rows)
		order[places[part[i]]++] = i;
	return order;
}

async function loadSummary(machine, id) {
	const bytes = await unpack(id + machine.suffix);

	return bytes && new Summary(machine, columnsOf(bytes));
}
