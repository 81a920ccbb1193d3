// SPDX-License-Identifier: GPL-2.0
// Mouse, pen and touch on the timeline. In the rows a drag moves the time; in the ruler, or with
// the shift key, it selects; two fingers zoom.

const pointers = new Map();
// what a drag does: { mode, x, y, from, to, top, at, moved }
let drag = null;
let pinch = null;

function startPointer() {
	canvas.addEventListener("wheel", wheel, { passive: false });
	canvas.addEventListener("pointerdown", pointerDown);
	canvas.addEventListener("pointermove", pointerMove);
	canvas.addEventListener("pointerup", pointerUp);
	canvas.addEventListener("pointercancel", pointerUp);
	canvas.addEventListener("pointerleave", () => {
		view.hover = null;
		byId("tip").hidden = true;
		drawSoon();
	});
	canvas.addEventListener("dblclick", (event) => {
		const found = findAt(event.offsetX, event.offsetY);

		if (found?.slice)
			focus(found.slice.begin, found.slice.end);
	});
}

// A wheel zooms, to the side or with shift it moves the time; over the names it scrolls the
// rows. With ctrl, which is what two fingers on a touchpad send, it always zooms.
function wheel(event) {
	const lines = event.deltaMode === 1 ? 20 : 1;
	const x = event.deltaX * lines, y = event.deltaY * lines;

	event.preventDefault();
	if (event.shiftKey || Math.abs(x) > Math.abs(y))
		pan((Math.abs(x) > Math.abs(y) ? x : y) / frame.width);
	else if (event.offsetX < frame.left && !event.ctrlKey && !event.metaKey)
		byId("stage").scrollTop += y;
	else
		zoom(Math.exp(clamp(y, -200, 200) * 0.002),
			timeAt(Math.max(event.offsetX, frame.left)));
}

function pointerDown(event) {
	canvas.setPointerCapture(event.pointerId);
	pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
	canvas.focus({ preventScroll: true });
	if (pointers.size === 2) {
		drag = null;
		pinch = { from: view.from, to: view.to,
			points: [...pointers.values()].map((one) => one.x) };
		return;
	}
	const chooses = event.shiftKey || event.offsetY < ruler;

	drag = { mode: chooses ? "select" : "pan", x: event.offsetX, y: event.offsetY,
		from: view.from, to: view.to, top: byId("stage").scrollTop, at: snapped(event),
		moved: false };
}

// A cursor goes to the edge of a slice that is near.
function snapped(event) {
	const found = findAt(event.offsetX, event.offsetY);
	const time = timeAt(event.offsetX);

	for (const edge of found?.slice ? [found.slice.begin, found.slice.end] : [])
		if (Math.abs(xOf(edge) - event.offsetX) <= 5)
			return edge;
	return time;
}

function pointerMove(event) {
	const x = event.offsetX, y = event.offsetY;

	if (pointers.has(event.pointerId))
		pointers.set(event.pointerId, { x, y });
	if (pinch && pointers.size === 2) {
		movePinch();
		return;
	}
	if (!drag) {
		hover(event);
		return;
	}
	drag.moved = drag.moved || Math.abs(x - drag.x) + Math.abs(y - drag.y) > 4;
	if (!drag.moved)
		return;
	byId("tip").hidden = true;
	if (drag.mode === "select") {
		select(drag.at, snapped(event));
		return;
	}
	const by = (drag.x - x) / frame.width * (drag.to - drag.from);

	byId("stage").scrollTop = drag.top + drag.y - y;
	show(drag.from + by, drag.to + by);
}

// The times below both fingers stay there.
function movePinch() {
	const [a, b] = [...pointers.values()].map((one) => one.x);
	const scale = (pinch.to - pinch.from) / frame.width;
	const [first, second] = pinch.points.map((x) => pinch.from + (x - frame.left) * scale);
	const now = (second - first) / (Math.abs(b - a) < 10 ? 10 * Math.sign(b - a || 1) : b - a);

	if (now > 0)
		show(first - (a - frame.left) * now, first + (frame.width - a + frame.left) * now);
}

function pointerUp(event) {
	const done = drag;

	pointers.delete(event.pointerId);
	if (pinch && pointers.size < 2) {
		pinch = null;
		drag = null;
		return;
	}
	drag = null;
	if (done && !done.moved && event.type === "pointerup")
		click(event);
}

function click(event) {
	const found = findAt(event.offsetX, event.offsetY);

	if (event.offsetY < ruler) {
		select(null);
		return;
	}
	if (found && !found.slice && found.row.group && event.offsetX <= frame.left + frame.width) {
		toggleGroup(found.key);
		return;
	}
	pick(found?.slice ? found : null);
	if (!found?.slice)
		return;
	setTab("details");
	if (found.what === "text")
		stepEvent(1, found.slice.begin - 0.5);
	if (found.what === "state" && found.slice.value !== doing.running)
		explainPicked();
}

function toggleGroup(key) {
	if (!view.closed.delete(key))
		view.closed.add(key);
	changed();
}

function hover(event) {
	const tip = byId("tip");
	const found = findAt(event.offsetX, event.offsetY);

	view.hover = { x: event.offsetX, y: event.offsetY, time: timeAt(event.offsetX) };
	drawSoon();
	if (!found?.slice || event.pointerType === "touch") {
		tip.hidden = true;
		return;
	}
	fill(tip, element("b", {}, titleOf(found)), element("br"),
		`${lengthText(found.slice.end - found.slice.begin)} from `,
		timeText(found.slice.begin));
	tip.hidden = false;
	const box = byId("stage").getBoundingClientRect();

	tip.style.left = `${Math.min(event.offsetX + 14, box.width - tip.offsetWidth - 4)}px`;
	tip.style.top = `${Math.min(event.offsetY + 16, box.height - tip.offsetHeight - 4)}px`;
}
