// SPDX-License-Identifier: GPL-2.0
// Why a task waited: what "tring why" tells of one wait. A task that was blocked waited for the
// one that has woken it, so what that one did meanwhile is looked at next; and so on.

const deepest = 64;

class Chain {
	constructor(machine, pieces) {
		this.machine = machine;
		this.sources = [machine.long, ...pieces];
		this.pieces = pieces;
		// { at, waker (a task's number, or -1), level, cpu, task }
		this.arrows = [];
	}

	// What a task did, one after another.
	steps(task, begin, end) {
		const steps = [];

		for (const source of this.sources)
			for (const [chunk, ran] of [
				[source.runs.lane("task", task, doing.running), true],
				[source.waits.lane("task", task), false]])
				for (let i = chunk.first(begin); i < chunk.count; i++)
					if (chunk.begin[i] < end)
						steps.push({ begin: chunk.begin[i],
							end: chunk.end[i], ran, chunk, i });
		return steps.sort((a, b) => a.begin - b.begin);
	}

	// The wakeup at a time: the moment of sched_waking, or that of a new task.
	cause(time, cpu, kinds) {
		for (const piece of this.pieces) {
			for (let i = firstAbove(piece.time, time - 0.5);
				i < piece.moments && piece.time[i] < time + 0.5; i++) {
				const kind = this.machine.index.kinds[piece.kind[i] - 2]?.kind;

				if (kinds.includes(kind) && (cpu < 0 || piece.cpu[i] === cpu))
					return this.causeOf(piece, i);
			}
		}
		return null;
	}

	causeOf(piece, moment) {
		// the letter that tells of interrupts, as in the lines of report
		const letter = this.machine.index.contexts[piece.context[moment]][2];
		const level = "hHzZ".includes(letter) ? "irq" : letter === "s" ? "softirq" : "task";

		return { at: piece.time[moment], cpu: piece.cpu[moment], level,
			name: this.interruptAt(level, piece.cpu[moment], piece.time[moment]),
			task: level === "task" ? piece.whoTask[piece.whose[moment]] : -1 };
	}

	// What an interrupt is called that a CPU was in.
	interruptAt(level, cpu, time) {
		const place = cpu * 2 + (level === "softirq" ? 1 : 0);

		for (const { irqs } of level === "task" ? [] : this.sources) {
			const lane = irqs.lane("place", place);
			const i = lane.first(time);

			if (i < lane.count && lane.begin[i] <= time)
				return `${level} ${this.machine.spanName(level, lane.value[i])}`;
		}
		return level === "irq" ? "an interrupt" : "a softirq";
	}

	cutTask(task, begin, end, limit, depth) {
		const parts = [];
		const steps = this.steps(task, begin, end);
		let at = begin;

		for (const step of steps) {
			const from = Math.max(step.begin, begin), to = Math.min(step.end, end);

			if (from > at)
				parts.push(this.before(task, at, from, limit, depth));
			if (to > from)
				parts.push(this.cutStep(task, step, from, to, limit, depth));
			at = Math.max(at, to);
		}
		if (at < end)
			parts.push({ from: at, to: end, kind: "unknown" });
		return parts;
	}

	// A task that did not exist yet waited for the one that has made it.
	before(task, from, to, limit, depth) {
		const part = { from, to, kind: "unknown" };
		const cause = this.cause(to, -1, [wakesNew]);

		if (cause) {
			part.kind = "absent";
			this.follow(part, task, cause, limit, depth);
		}
		return part;
	}

	cutStep(task, { chunk, i, ran, end }, from, to, limit, depth) {
		if (ran)
			return { from, to, kind: "ran" };
		const state = chunk.state[i];
		const part = { from, to, kind: doingNames[doingOfWait[state & 7]] };

		if (part.kind === "runnable")
			part.parts = this.holders(task, from, to, end);
		if ((state & 15) === wokenBlocked)
			this.follow(part, task, this.cause(end, chunk.wakerCpu[i], [waking]),
				limit, depth);
		return part;
	}

	follow(part, task, cause, limit, depth) {
		if (!cause)
			return;
		part.cause = cause;
		this.arrows.push({ at: cause.at, waker: cause.task, cpu: cause.cpu, task });
		if (cause.task >= 0 && cause.at <= limit && depth < deepest)
			part.parts = this.cutTask(cause.task, part.from, part.to, cause.at,
				depth + 1);
	}

	// What had the CPU that the task got in the end.
	holders(task, from, to, end) {
		const next = this.sources.map(({ runs }) => runs.lane("task", task))
			.map((lane) => [lane, firstAbove(lane.begin, end - 0.5, 0, lane.count)])
			.find(([lane, i]) => i < lane.count && lane.begin[i] <= end + 0.5);

		if (!next)
			return [];
		const cpu = next[0].cpu[next[1]];
		const parts = [];

		for (const source of this.sources) {
			const held = source.runs.lane("cpu", cpu);

			for (let i = held.first(from); i < held.count; i++)
				if (held.begin[i] < to && held.end[i] > from)
					parts.push({ kind: "held", task: held.task[i], cpu,
						from: Math.max(held.begin[i], from),
						to: Math.min(held.end[i], to) });
		}
		return parts.sort((a, b) => a.from - b.from);
	}
}

// of bind.h's kinds
const waking = 2, wakesNew = 4;

async function chainOf(task, begin, end) {
	const { machine } = trace.tasks[task];
	const pieces = [];

	// copies, because those of a long wait may give their memory back
	await machine.eachPiece(begin, end, (piece) => pieces.push({ ...piece }));
	const chain = new Chain(machine, pieces);

	chain.task = task;
	chain.parts = chain.cutTask(task, begin, end, end, 0);
	return chain;
}

async function explainPicked() {
	const { picked } = view;

	if (!picked?.row.task || !["state", "call"].includes(picked.what))
		return;
	const chain = await chainOf(picked.row.task.number, picked.slice.begin, picked.slice.end);

	if (view.picked !== picked)
		return;
	view.chain = chain;
	// the tasks of the first arrows get rows, so that there is something to point from
	for (const { waker } of chain.arrows.slice(0, 12))
		if (waker >= 0)
			view.tasks.add(waker);
	selectionChanged();
}

// The place of a task, or of the CPU on which an interrupt came.
function arrowRow(arrow) {
	const { machine } = trace.tasks[arrow.task];

	return shownRows.find((row) => arrow.waker >= 0 ? row.task?.number === arrow.waker :
		row.cpu?.place === arrow.cpu && row.cpu.machine === machine);
}

function drawArrows() {
	if (!view.chain)
		return;
	const context = frame.context;

	context.strokeStyle = context.fillStyle = theme.accent;
	context.lineWidth = 1.5;
	for (const arrow of view.chain.arrows) {
		const from = arrowRow(arrow);
		const to = shownRows.find((row) => row.task?.number === arrow.task);
		const x = xOf(arrow.at);

		if (!from || !to || from === to || Math.abs(x - frame.left) > frame.width + 50)
			continue;
		drawArrow(x, ruler + from.y - frame.top + 12, ruler + to.y - frame.top + 12);
	}
}

function drawArrow(x, from, to) {
	const context = frame.context;
	const down = Math.sign(to - from);

	context.beginPath();
	context.moveTo(x, from);
	context.bezierCurveTo(x - 14, from + 8 * down, x - 14, to - 8 * down, x, to);
	context.stroke();
	context.beginPath();
	context.moveTo(x, to);
	context.lineTo(x - 8, to - 2 * down);
	context.lineTo(x - 3, to - 7 * down);
	context.fill();
	context.beginPath();
	context.arc(x, from, 2.5, 0, 7);
	context.fill();
}

const partTexts = { ran: "ran", runnable: "waited for a CPU, which had", blocked: "was blocked",
	absent: "was not started", unknown: "unknown", held: "" };

function causeText({ task, level, cpu, name }, machine) {
	if (level !== "task")
		return ` until ${name} on CPU ${machine.cpus[cpu].cpu} woke it`;
	return ` until ${nameOfTask(task)} woke it, which`;
}

// The chain as a list, below what was picked.
function chainTree() {
	if (!view.chain)
		return null;
	const { parts, machine, task } = view.chain;

	return element("div", {}, element("h2", {}, `Why: ${trace.tasks[task].name}`),
		partList(parts, machine));
}

const partsShown = 12;

function nameOfTask(number) {
	return number < 0 ? "idle" : trace.tasks[number].name;
}

function partList(parts, machine) {
	const longest = [...parts].sort((a, b) => b.to - b.from - (a.to - a.from))
		.slice(0, partsShown);
	const items = parts.filter((part) => longest.includes(part)).map((part) => {
		const text = part.kind === "held" ? nameOfTask(part.task) :
			partTexts[part.kind] + (part.cause ? causeText(part.cause, machine) : "");

		return element("li", {}, `${lengthText(part.to - part.from)} ${text}`,
			part.parts?.length ? partList(part.parts, machine) : null);
	});

	if (parts.length > partsShown)
		items.push(element("li", {}, `${parts.length - partsShown} shorter ones`));
	return element("ul", { class: "chain" }, ...items);
}
