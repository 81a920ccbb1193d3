// SPDX-License-Identifier: GPL-2.0
// What stands below the picture: tabs, the time that they are of, and what was clicked.

const tabs = [["details", "Details", showDetails], ["tables", "Tables", showTables],
	["events", "Events", showEvents], ["flame", "Flame", showFlame]];

// counts up, so that what was computed for a time that is left is thrown away
let asking = 0;

function startPanel() {
	fill(byId("tabs"), ...tabs.filter(([name]) => name !== "flame" || trace.hasStacks)
		.map(([name, title]) => element("button", { role: "tab", id: `tab-${name}`,
			onclick: () => setTab(name) }, title)));
	on("select", () => showPanel());
	on("draw", () => {
		// tables of what is seen follow it when it stands still
		if (!view.selected)
			settle();
	});
	startDivider();
}

let settling = 0, settledFor = "";

function settle() {
	clearTimeout(settling);
	settling = setTimeout(() => {
		const { from, to } = chosenTime();

		if (settledFor !== `${from} ${to}` && view.tab !== "details")
			showPanel();
	}, 250);
}

function setTab(name) {
	view.tab = name;
	selectionChanged();
}

async function showPanel() {
	const mine = ++asking;
	const time = chosenTime();

	delete byId("time").dataset.done;
	settledFor = `${time.from} ${time.to}`;
	for (const [name] of tabs)
		byId(`tab-${name}`)?.setAttribute("aria-selected", name === view.tab);
	byId("time").textContent = `${view.selected ? "Selected" : "Seen"}: ` +
		`${lengthText(time.to - time.from)}, from ${timeText(time.from)} ` +
		`to ${timeText(time.to)}`;
	const [, , shower] = tabs.find(([name]) => name === view.tab);

	await shower(byId("content"), time, () => mine === asking);
}

// A time of the trace's clock as "tring report -t" has it, or of the wall clock, in nanoseconds.
function clockOf(time, machine = trace.machines[0]) {
	return machine.stampOf(time) + (view.wall ? machine.wall - machine.base : 0n);
}

// As seconds, or as the viewer's wall clock shows it.
function timeText(time, machine) {
	const wall = clockOf(time, machine);

	if (!view.wall)
		return fixed(wall, 9);
	const date = new Date(Number(wall / 1000000n));

	return `${dateText(date)}.${(wall % 1000000000n).toString().padStart(9, "0")}`;
}

function dateText(date) {
	const two = (number) => String(number).padStart(2, "0");

	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
		`${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

// A time at the ruler: only the digits that differ between two marks.
function axisText(time, step) {
	const text = timeText(time).replace(/^\d+-\d+-\d+ /, "");
	const digits = clamp(Math.ceil(9 - Math.log10(step)), 0, 9);

	return digits ? text.slice(0, text.length - 9 + digits) : text.slice(0, -10);
}

function titleOf({ row, what, slice }) {
	const machine = row.task?.machine || row.cpu?.machine || trace.machines[0];

	switch (what) {
	case "run":
		return slice.value < 0 ? "idle" : trace.tasks[slice.value].name;
	case "state":
		return `${row.task.name}: ${doingNames[slice.value]}`;
	case "loss":
		return slice.value ? `${grouped(slice.value)} events lost` : "packets missing";
	case "counter":
		return `${row.title}: ${grouped(slice.value)}`;
	case "text":
		return "text that the program has written";
	default:
		return `${what === "call" ? "system call" : what} ` +
			machine.spanName(what, slice.value);
	}
}

const stateLetters = "SDTtXZPI";

// 0: unknown; else a state + 1
function letterOf(state) {
	if (!state)
		return "";
	const bits = [...stateLetters].filter((letter, bit) => state - 1 >> bit & 1);

	return (bits.join("|") || "R") + (state - 1 & 0x100 ? "+" : "");
}

async function showDetails(where, time, stillAsked) {
	const picked = view.picked;

	// its piece may have given its memory back meanwhile
	if (view.event)
		await loadFields(view.event.piece);
	if (!stillAsked())
		return;

	if (view.event && !picked?.slice) {
		fill(where, ...eventDetails(view.event));
		return;
	}
	if (!picked?.slice) {
		fill(where, element("p", {}, "Click something in the picture; a wait tells why. ",
			"Press ? for the keys."), legend());
		return;
	}
	const { slice, row, what } = picked;
	const list = element("dl");
	const add = (name, text) => list.append(element("dt", {}, name), element("dd", {}, text));

	add("From", timeText(slice.begin));
	add("To", timeText(slice.end));
	add("Length", lengthText(slice.end - slice.begin));
	if (row.cpu)
		add("CPU", String(row.cpu.cpu));
	if (what === "run" && slice.chunk.state && letterOf(slice.chunk.state[slice.index]))
		add("Then", letterOf(slice.chunk.state[slice.index]));
	if (what === "call" && slice.chunk.result[slice.index] === 2)
		add("Result", "an error");
	fill(where, element("h2", {}, titleOf(picked)), list, detailButtons(picked), chainTree(),
		...view.event ? eventDetails(view.event) : []);
}

// An event that was gone to: its line, and its fields.
function eventDetails({ piece, moment }) {
	return [element("h2", {}, "Event"), element("pre", {}, lineOf(piece, moment)),
		element("dl", {}, ...fieldsOf(piece, moment).flatMap(([name, value]) =>
			[element("dt", {}, name), element("dd", {}, value)]))];
}

function detailButtons({ row, what, slice }) {
	const buttons = element("div", { class: "filters" });
	const number = row.task ? row.task.number : what === "run" ? slice.value : -1;
	const add = (text, onclick) => buttons.append(element("button", { onclick }, text));

	if (number >= 0 && !view.tasks.has(number))
		add("Show this task", () => openTask(number));
	if (row.task)
		add("Hide this task", () => closeTask(row.task.number));
	if (row.task && (what === "state" || what === "call"))
		add("Why? (y)", explainPicked);
	if (number >= 0) {
		add("Previous event ( , )", () => stepEvent(-1));
		add("Next event ( . )", () => stepEvent(1));
	}
	add("Select its time (m)", selectPicked);
	add("Zoom to it (f)", focusPicked);
	return buttons;
}

// What the colours mean, by the same colours.
function legend() {
	const list = element("dl");

	for (const [name, text] of [["irq", "interrupt"], ["softirq", "softirq"],
		["runnable", "a task waits for a CPU"], ["blocked", "a task is blocked"],
		["disk", "blocked, and not to be interrupted (D)"], ["call", "system call"],
		["span", "span or counter of a program"],
		["loss", "events were lost: nothing is known"],
		["unknown", "not known"]]) {
		const mark = element("span", { class: "bar" });

		mark.style.background = `var(--${name})`;
		mark.style.width = "24px";
		list.append(element("dt", {}, mark), element("dd", {}, text));
	}
	return list;
}

// A drag, or the arrows, on the line above the panel.
function startDivider() {
	const divider = byId("divider"), panel = byId("panel");
	const set = (height) => {
		panel.style.flexBasis = `${clamp(height, 90, innerHeight * 0.8)}px`;
	};

	divider.addEventListener("pointerdown", (event) =>
		divider.setPointerCapture(event.pointerId));
	divider.addEventListener("pointermove", (event) => {
		if (divider.hasPointerCapture(event.pointerId))
			set(innerHeight - event.clientY);
	});
	divider.addEventListener("keydown", (event) => {
		const by = { ArrowUp: 30, ArrowDown: -30 }[event.key];

		if (by)
			set(panel.offsetHeight + by);
		if (by)
			event.stopPropagation();
	});
}
