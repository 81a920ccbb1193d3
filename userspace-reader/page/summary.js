// SPDX-License-Identifier: GPL-2.0
// What is seen from afar: how long each task and each CPU did what in each part of a time, which
// the writer has added up. A part is a pixel or two, so it does not matter where in it
// something was: what is in a part is drawn side by side, in the order of the block.

const firstInterrupt = 4;

class Summary {
	constructor(machine, columns) {
		const [head, type, part, pid, cpu, ticks] = columns;
		const count = head.number();

		this.parts = head.number();
		this.base = head.number();
		this.width = 2 ** head.number();
		this.tick = 2 ** head.number();
		this.machine = machine;
		this.runs = new Chunk(count, ["cpu", "task"]);
		this.irqs = new Chunk(count, ["place"]);
		this.states = new Chunk(count, ["task"]);
		this.calls = noRows;
		// how much of a part is used, by what shares it, of which one comes after the other
		this.used = new Map();
		for (let i = 0, at = 0, whose = 0; i < count; i++) {
			at += part.signed();
			whose += pid.signed();
			this.add(type.number(), at, whose, cpu.number() - 1,
				ticks.number() * this.tick);
		}
		this.width *= machine.unit;
		for (const [name, column] of [["runs", "cpu"], ["irqs", "place"],
			["states", "task"]]) {
			this[name] = this[name].rows([...Array(this[name].count).keys()]).sorted();
			this[name].split(column);
		}
	}

	// key: a number for a CPU's lane, below 0, or for a task
	place(key, part, ticks) {
		const place = key * this.parts + part;
		const used = this.used.get(place) || 0;
		const begin = this.base + part * this.width + used;

		this.used.set(place, used + ticks);
		return [this.machine.timeOf(begin), this.machine.timeOf(begin + ticks)];
	}

	add(type, part, pid, cpu, ticks) {
		if (type >= firstInterrupt) {
			const level = type - firstInterrupt;
			const row = this.irqs.add(...this.place(-3 * cpu - 3 - level, part, ticks),
				level - 2);

			this.irqs.place[row] = cpu * 2 + level;
			return;
		}
		const task = this.machine.taskNumber(pid);

		if (type === 0) {
			const row = this.runs.add(...this.place(-3 * cpu - 5, part, ticks), task);

			this.runs.cpu[row] = cpu;
			this.runs.task[row] = task;
		}
		if (task < 0)
			return;
		const row = this.states.add(...this.place(task, part, ticks),
			[doing.running, doing.runnable, doing.blocked, doing.unknown][type]);

		this.states.task[row] = task;
	}
}

async function loadSummary(machine, id) {
	const bytes = await unpack(id + machine.suffix);

	return bytes && new Summary(machine, columnsOf(bytes));
}
