// SPDX-License-Identifier: GPL-2.0
// The keyboard, as Perfetto and games have it; the same list is what "?" shows.

const keys = [
	["w", "zoom in", () => zoom(0.7, pointerTime())],
	["s", "zoom out", () => zoom(1 / 0.7, pointerTime())],
	["a", "go left", () => pan(-0.15)],
	["d", "go right", () => pan(0.15)],
	["ArrowLeft", "go left", () => pan(-0.15)],
	["ArrowRight", "go right", () => pan(0.15)],
	["ArrowUp", "rows above", () => byId("stage").scrollBy(0, -60)],
	["ArrowDown", "rows below", () => byId("stage").scrollBy(0, 60)],
	["0", "the whole trace", showAll],
	["Home", "the whole trace", showAll],
	["f", "zoom to what is picked, or selected", focusPicked],
	["m", "select the time of what is picked", selectPicked],
	["[", "first cursor here", () => setCursor("from")],
	["]", "second cursor here", () => setCursor("to")],
	[",", "previous event of this task", () => stepEvent(-1)],
	[".", "next event of this task", () => stepEvent(1)],
	["y", "why it waited", explainPicked],
	["c", "wall clock or seconds", toggleWall],
	["/", "search", () => byId("search").focus()],
	["Escape", "forget what is picked, then what is selected", forgetPicked],
	["?", "these keys", () => toggleHelp()],
];

function pointerTime() {
	return view.hover ? view.hover.time : (view.from + view.to) / 2;
}

function startKeys() {
	document.addEventListener("keydown", (event) => {
		const writes = event.target.closest("input, select, textarea");

		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (writes) {
			if (event.key === "Escape")
				event.target.blur();
			return;
		}
		const inPanel = event.target.closest("#panel, header");

		// in the panel the arrows scroll, and Home is that of a list
		if (inPanel && (event.key.startsWith("Arrow") || event.key === "Home"))
			return;
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		const found = keys.find(([name]) => name === key);

		if (!found)
			return;
		event.preventDefault();
		found[2]();
	});
}

function focusPicked() {
	const time = view.picked ? view.picked.slice : view.selected &&
		{ begin: view.selected.from, end: view.selected.to };

	if (time)
		focus(time.begin, time.end);
}

function selectPicked() {
	if (view.picked)
		select(view.picked.slice.begin, view.picked.slice.end);
}

function setCursor(which) {
	const time = pointerTime();
	const other = view.selected ? view.selected[which === "from" ? "to" : "from"] : time;

	select(time, other);
}

function forgetPicked() {
	if (!byId("help").hidden)
		toggleHelp();
	else if (view.picked || view.event) {
		view.event = null;
		pick(null);
	}
	else
		select(null);
}

function toggleWall() {
	view.wall = !view.wall && trace.wall !== null;
	selectionChanged();
}

function toggleHelp() {
	const help = byId("help");

	help.hidden = !help.hidden;
	if (help.hidden)
		return;
	fill(help, element("h2", {}, "Keys"), element("dl", {}, ...keys.flatMap(([name, what]) =>
		[element("dt", {}, element("kbd", {}, name)), element("dd", {}, what)])),
	element("p", {}, "The wheel zooms, with shift it moves the time. A drag moves; in the ",
		"ruler or with shift it selects a time. Two fingers zoom."),
	element("button", { onclick: toggleHelp }, "Close"));
	help.querySelector("button").focus();
}
