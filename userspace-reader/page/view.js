// SPDX-License-Identifier: GPL-2.0
// What is looked at: a time, what is selected in it, and which rows are open. Everything that
// changes it goes through this room, which then has all others drawn again.

const view = {
	// nanoseconds from the begin of the trace; a double has them exactly for a hundred days
	from: 0,
	to: 1,
	// the time between the two cursors, or null
	selected: null,
	// what was clicked: { row, slice }, or null
	picked: null,
	// the event that was gone to: { piece, moment, time, task }, or null
	event: null,
	// the chain of a wait, or null
	chain: null,
	// where the pointer is, or null
	hover: null,
	wall: false,
	tab: "tables",
	// keys of groups that are closed, and tasks that have rows, by their numbers
	closed: new Set(),
	tasks: new Set(),
};

const viewListeners = { draw: [], select: [] };

// on("draw", f) - the picture has changed; on("select", f) - what the panel tells of has
function on(what, listener) {
	viewListeners[what].push(listener);
}

const drawSoon = onceAFrame(() => viewListeners.draw.forEach((listener) => listener()));
const tellSoon = onceAFrame(() => viewListeners.select.forEach((listener) => listener()));
let drawingUnpacked = 0;

// Draws what has been unpacked, ten times a second: a picture takes as long as many blocks.
function drawUnpacked() {
	drawingUnpacked ||= setTimeout(() => {
		drawingUnpacked = 0;
		drawSoon();
	}, 100);
}

function changed() {
	drawSoon();
	rememberSoon();
}

function selectionChanged() {
	changed();
	tellSoon();
}

// A time that is asked for, within the trace, and never shorter than 20 ns.
function show(from, to) {
	const whole = trace.end - trace.begin;
	const length = clamp(to - from, Math.min(20, whole), whole * 1.1);
	const middle = (from + to) / 2;
	const margin = length < whole ? length * 0.5 : (length - whole) / 2;

	view.from = clamp(middle - length / 2, trace.begin - margin, trace.end + margin - length);
	view.to = view.from + length;
	changed();
}

function zoom(factor, at) {
	show(at - (at - view.from) * factor, at + (view.to - at) * factor);
}

function pan(part) {
	const by = (view.to - view.from) * part;

	show(view.from + by, view.to + by);
}

// Shows a slice with what is around it.
function focus(begin, end) {
	const length = Math.max(end - begin, 100);

	show(begin - length, end + length);
}

// Moves only if the time is not in the picture.
function reveal(begin, end) {
	const length = view.to - view.from;

	if (begin >= view.from && end <= view.to)
		return;
	if (end - begin > length)
		focus(begin, end);
	else
		show((begin + end - length) / 2, (begin + end + length) / 2);
}

function showAll() {
	show(trace.begin, trace.end);
}

function select(from, to) {
	view.selected = from === null ? null : {
		from: clamp(Math.min(from, to), trace.begin, trace.end),
		to: clamp(Math.max(from, to), trace.begin, trace.end),
	};
	selectionChanged();
}

function pick(picked) {
	view.picked = picked;
	view.chain = null;
	selectionChanged();
}

// What tables and events are of: what is selected, else what is seen.
function chosenTime() {
	const time = view.selected || view;

	return { from: clamp(Math.round(time.from), trace.begin, trace.end),
		to: clamp(Math.round(time.to), trace.begin, trace.end) };
}
