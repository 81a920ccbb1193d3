// SPDX-License-Identifier: GPL-2.0
// The picture: a ruler, rows, and what lies over them: cursors, arrows, what is picked.

const ruler = 34;
const font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

let canvas, shownRows = [];

function startTimeline() {
	canvas = byId("timeline");
	frame.context = canvas.getContext("2d");
	new ResizeObserver(() => drawSoon()).observe(byId("stage"));
	byId("stage").addEventListener("scroll", drawSoon, { passive: true });
	on("draw", drawTimeline);
}

// The canvas is as large as what is seen of it, on paper as all rows; their height is that of an
// element below.
function fitCanvas(prints) {
	const stage = byId("stage");
	const ratio = window.devicePixelRatio || 1;
	const width = stage.clientWidth;
	const height = prints ? byId("height").offsetHeight : stage.clientHeight;

	if (canvas.width !== Math.round(width * ratio) ||
	    canvas.height !== Math.round(height * ratio)) {
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		canvas.style.width = `${width}px`;
		canvas.style.height = `${height}px`;
	}
	frame.left = width < 640 ? 92 : 190;
	frame.width = width - frame.left;
	frame.height = height;
	frame.top = prints ? 0 : stage.scrollTop;
	frame.context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

function drawTimeline(prints = false) {
	const context = frame.context;

	fitCanvas(prints);
	context.font = font;
	context.textBaseline = "middle";
	context.fillStyle = theme.ground;
	context.fillRect(0, 0, frame.left + frame.width, frame.height);
	layOutRows();
	drawRows();
	drawOver();
	drawRuler();
}

function layOutRows() {
	let y = 0;

	shownRows = visibleRows();
	for (const row of shownRows) {
		row.y = y;
		y += row.height;
	}
	byId("height").style.height = `${Math.max(0, y + ruler + 8)}px`;
}

function drawRows() {
	const context = frame.context;

	context.save();
	context.beginPath();
	context.rect(0, ruler, frame.left + frame.width, frame.height);
	context.clip();
	for (const row of shownRows) {
		const y = ruler + row.y - frame.top;

		if (y + row.height < ruler || y > frame.height)
			continue;
		row.paint(y);
		context.fillStyle = theme.line;
		context.fillRect(0, y + row.height - 1, frame.left + frame.width, 1);
	}
	for (const row of shownRows)
		drawRowLabel(row, ruler + row.y - frame.top);
	context.restore();
}

function drawRowLabel(row, y) {
	const context = frame.context;

	if (y + row.height < ruler || y > frame.height)
		return;
	context.fillStyle = row.group ? theme.line : theme.panel;
	context.fillRect(0, y, row.group ? frame.left + frame.width : frame.left, row.height - 1);
	if (row.colour) {
		context.fillStyle = row.colour;
		context.fillRect(0, y + 2, 3, row.height - 5);
	}
	const indent = 8;

	context.fillStyle = theme.ink;
	context.font = row.group ? `bold ${font}` : font;
	const middle = row.sub && row.height > 26 ? y + row.height / 2 - 6 : y + row.height / 2;

	const mark = view.closed.has(row.key) ? "▸" : "▾";

	drawLabel(row.group ? `${mark} ${row.title}` : row.title,
		indent - 3, middle - 6,
		(row.group ? frame.left + frame.width : frame.left) - indent, 12);
	context.font = font;
	if (row.sub && row.height > 26) {
		context.fillStyle = theme.faint;
		drawLabel(row.sub, indent - 3, middle + 7, frame.left - indent, 12);
	}
}

function drawRuler() {
	const context = frame.context;
	const step = stepFor(perPixel() * (view.wall ? 120 : 95));
	const right = frame.left + frame.width;

	context.fillStyle = theme.panel;
	context.fillRect(0, 0, right, ruler);
	context.fillStyle = theme.line;
	context.fillRect(0, ruler - 1, right, 1);
	drawOverview();
	// marks are at round times of the clock, which does not begin where the trace does
	const phase = Number(clockOf(0) % BigInt(step));

	for (let time = Math.ceil((view.from + phase) / step) * step - phase; time <= view.to;
		time += step) {
		const x = Math.round(xOf(time));

		context.fillStyle = theme.faint;
		context.fillRect(x, ruler - 7, 1, 6);
		context.fillText(axisText(time, step), x + 3, ruler - 10);
	}
	context.fillStyle = theme.panel;
	context.fillRect(0, 0, frame.left, ruler - 1);
	context.fillStyle = theme.faint;
	context.fillText(lengthText(view.to - view.from), 8, ruler - 11);
	if (view.selected)
		drawSelectedLength();
}

// A bar of the whole trace: what is in the picture of it, and where something is lost.
function drawOverview() {
	const context = frame.context;
	const scale = frame.width / (trace.end - trace.begin || 1);
	const at = (time) => frame.left + clamp((time - trace.begin) * scale, 0, frame.width);

	context.fillStyle = theme.idle;
	context.fillRect(frame.left, 3, frame.width, 6);
	context.fillStyle = theme.accent;
	context.fillRect(at(view.from), 3, Math.max(3, at(view.to) - at(view.from)), 6);
	context.fillStyle = theme.loss;
	const whole = { from: trace.begin, to: trace.end };

	for (const { cpus } of trace.machines)
		for (const { losses } of cpus)
			for (const { left, right } of lossesIn(losses.chunk, whole, 2, at))
				context.fillRect(left, 1, right - left, 10);
}

function drawSelectedLength() {
	const context = frame.context;
	const from = xOf(view.selected.from), to = xOf(view.selected.to);
	const text = lengthText(view.selected.to - view.selected.from);
	const width = text.length * letterWidth + 8;
	const x = clamp((from + to - width) / 2, frame.left, frame.left + frame.width - width);

	context.fillStyle = theme.accent;
	const left = Math.max(from, frame.left), right = Math.min(to, frame.left + frame.width);

	context.fillRect(left, ruler - 3, Math.max(1, right - left), 3);
	context.fillRect(x, ruler - 18, width, 15);
	context.fillStyle = theme.ground;
	context.fillText(text, x + 4, ruler - 10);
}

// Lines over all rows, which are clipped to the right of the labels.
function drawOver() {
	const context = frame.context;

	context.save();
	context.beginPath();
	context.rect(frame.left, ruler, frame.width, frame.height);
	context.clip();
	if (view.selected)
		drawSelected();
	if (view.picked)
		drawPicked();
	drawArrows();
	if (view.event) {
		context.fillStyle = theme.accent;
		context.fillRect(Math.round(xOf(view.event.time)) - 1, ruler, 2, frame.height);
	}
	if (view.hover) {
		context.fillStyle = theme.faint;
		context.fillRect(Math.round(view.hover.x), ruler, 1, frame.height);
	}
	context.restore();
}

function drawSelected() {
	const context = frame.context;
	const from = xOf(view.selected.from), to = xOf(view.selected.to);

	context.fillStyle = theme.accent;
	context.globalAlpha = 0.12;
	context.fillRect(from, ruler, to - from, frame.height);
	context.globalAlpha = 1;
	context.fillRect(from, ruler, 1, frame.height);
	context.fillRect(to - 1, ruler, 1, frame.height);
}

function drawPicked() {
	const context = frame.context;
	const { key, slice, offset, height } = view.picked;
	const row = shownRows.find((one) => one.key === key);

	if (!row)
		return;
	const from = xOf(slice.begin);

	context.strokeStyle = theme.ink;
	context.lineWidth = 2;
	context.strokeRect(from, ruler + row.y - frame.top + offset,
		Math.max(2, xOf(slice.end) - from), height);
}

// The row and the place in it at a point of the canvas.
function rowAt(y) {
	const inside = y - ruler + frame.top;

	return y < ruler ? null :
		shownRows.find((row) => inside >= row.y && inside < row.y + row.height) || null;
}
