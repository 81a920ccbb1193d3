// SPDX-License-Identifier: GPL-2.0
// Which rows there are, and how each one looks. A row has lanes, one below the other; what is
// clicked is a slice of one of them.

const doing = { unknown: 0, running: 1, runnable: 2, blocked: 3, gone: 4 };
const doingNames = ["unknown", "running", "runnable", "blocked", "ended"];

function runLook() {
	return looksOf((value) => value < 0 ? { colour: theme.idle, part: 0.15 } :
		taskLook(trace.tasks[value], trace.tasks[value].name));
}

function taskLook({ comm }, text) {
	return { colour: taskColour(comm), part: 1, text, ink: taskInks.get(comm) };
}

// Looks are asked for in each frame: they are made once for each value.
function looksOf(make) {
	const looks = new Map();

	return (value) => {
		if (!looks.has(value))
			looks.set(value, make(value));
		return looks.get(value);
	};
}

// Of interrupts, system calls and marked spans, which have names.
function namedLook(machine, what, part = 1) {
	return looksOf((value) => ({ colour: theme[what], part, ink: theme.ink,
		text: value < 0 ? "" : machine.spanName(what, value) }));
}

// A task's state is told by height and pattern as well as by colour.
function stateLook(task) {
	const looks = [
		{ colour: theme.unknown, part: 1, pattern: true },
		taskLook(task, "running"),
		{ colour: theme.runnable, part: 0.6, text: "runnable", ink: theme.ink },
		{ colour: theme.blocked, part: 0.25 },
		{ colour: theme.ground, part: 0.1 },
	];
	const disk = { colour: theme.disk, part: 0.4 };

	return (value, chunk, index) => value === doing.blocked && chunk.sleep?.[index] & 2 ?
		disk : looks[value];
}

// makeRow({ key, title, ... }, [{ lane, offset, height, look, what }]) - a row of lanes
function makeRow(row, lanes) {
	row.lanes = lanes.filter((one) => one.lane);
	row.paint = (y) => {
		for (const one of row.lanes) {
			if (one.paint)
				one.paint(one.lane, y + one.offset, one.height);
			else
				paintLane(one.lane, y + one.offset, one.height, one.look);
		}
	};
	return row;
}

function groupRow(key, title) {
	return { key, title, group: true, height: 20, lanes: [], paint() {} };
}

function cpuRow(machine, cpu) {
	return makeRow({
		key: cpu.key, title: `CPU ${cpu.cpu}`, height: 32, cpu,
		sub: cpu.lost ? `${grouped(cpu.lost)} lost` : "",
	}, [
		{ lane: cpu.runs, offset: 11, height: 19, look: runLook(), what: "run" },
		{ lane: cpu.softirqs, offset: 2, height: 8, what: "softirq",
			look: namedLook(machine, "softirq", 0.75) },
		{ lane: cpu.irqs, offset: 2, height: 8, what: "irq",
			look: namedLook(machine, "irq") },
		{ lane: cpu.losses, offset: 1, height: 30, paint: paintLosses, what: "loss" },
	]);
}

function taskRow(task) {
	const lanes = [{ lane: task.states, offset: 2, height: 18, look: stateLook(task),
		what: "state" }];
	let below = 21;

	const add = (lane, look, what, paint) => {
		lanes.push({ lane, offset: below, height: 13, look, what, paint });
		below += 14;
	};

	if (task.calls)
		add(task.calls, namedLook(task.machine, "call"), "call");
	for (const lane of task.spans)
		add(lane, namedLook(task.machine, "span"), "span");
	if (task.texts)
		add(task.texts, null, "text", paintTexts);
	return makeRow({
		key: `task${task.number}`, title: task.comm || "?", task, sub: `pid ${task.pid}`,
		colour: taskColour(task.comm), height: below + 3,
	}, lanes);
}

function counterRow(machine, counter) {
	return makeRow({ key: counter.key, title: counter.name, height: 40,
		sub: `process ${counter.process}` },
		[{ lane: counter.lane, offset: 2, height: 36, paint: paintCounter,
			what: "counter" }]);
}

// Rows are made once and kept, because each frame asks for them.
const madeRows = new Map();

function rowFor(key, make) {
	if (!madeRows.has(key))
		madeRows.set(key, make());
	return madeRows.get(key);
}

function addGroup(rows, key, title, members, make) {
	if (!members.length)
		return;
	rows.push(rowFor(key, () => groupRow(key, title)));
	rows[rows.length - 1].title = title;
	if (!view.closed.has(key))
		for (const member of members)
			rows.push(rowFor(`${key}/${member.key}`, () => make(member)));
}

function visibleRows() {
	const rows = [];

	for (const [index, machine] of trace.machines.entries()) {
		const name = trace.machines.length > 1 ? `${machine.name}: ` : "";
		const tasks = [...view.tasks].map((number) => trace.tasks[number])
			.filter((task) => task && task.machine === machine);

		addGroup(rows, `cpus${index}`, `${name}CPUs`, machine.cpus,
			(cpu) => cpuRow(machine, cpu));
		addGroup(rows, `tasks${index}`,
			`${name}Tasks (${tasks.length} of ${grouped(machine.taskCount)})`, tasks,
			taskRow);
		addGroup(rows, `counters${index}`, `${name}Counters`, machine.counters,
			(counter) => counterRow(machine, counter));
	}
	return rows;
}

// Colours have changed.
function forgetRows() {
	madeRows.clear();
}

// Gives a task a row, if it has none.
function openTask(number) {
	view.tasks.add(number);
	selectionChanged();
}

function closeTask(number) {
	view.tasks.delete(number);
	selectionChanged();
}

// What is at a point: { key, row, what, slice, offset, height }, or null. What lies above
// others is looked at first.
function findAt(x, y) {
	const row = rowAt(y);

	if (!row || x < frame.left)
		return row ? { key: row.key, row, slice: null } : null;
	const inside = y - ruler + frame.top - row.y;
	const reach = perPixel() * 3;

	for (const one of [...row.lanes].reverse()) {
		if (inside < one.offset || inside > one.offset + one.height)
			continue;
		const slice = sliceAt(one.lane, timeAt(x), reach);

		if (slice)
			return { key: row.key, row, what: one.what, slice, offset: one.offset,
				height: one.height };
	}
	return { key: row.key, row, slice: null };
}
