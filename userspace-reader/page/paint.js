// SPDX-License-Identifier: GPL-2.0
// Draws slices: what has a begin, an end and a value, side by side in a lane.

// Where the picture is, in pixels of CSS.
const frame = { left: 160, width: 800, height: 400, top: 0, context: null };

function xOf(time) {
	return frame.left + (time - view.from) / (view.to - view.from) * frame.width;
}

function timeAt(x) {
	return view.from + (x - frame.left) / frame.width * (view.to - view.from);
}

function perPixel() {
	return (view.to - view.from) / frame.width;
}

// One more than the letters of 11 pixels that fit; no text is measured in a frame.
const letterWidth = 6.2;

function drawLabel(text, x, y, width, height) {
	const context = frame.context;
	const fits = Math.floor((width - 6) / letterWidth);

	if (fits < 2)
		return;
	context.fillText(text.length > fits ? text.slice(0, fits - 1) + "…" : text,
		x + 3, y + height / 2 + 0.5);
}

// How a slice looks: { colour, part, text, pattern }; part is that of the lane's height, from
// below, pattern fills with lines across.
function drawSlice(look, x, width, y, height) {
	const context = frame.context;
	const high = Math.max(1, Math.round(height * look.part));
	const at = y + height - high;

	context.fillStyle = look.pattern ? hatch(context, look.colour) : look.colour;
	context.fillRect(x, at, width, high);
	if (width > 3 && high > 8 && !look.pattern) {
		// neighbours of one colour stay apart
		context.fillStyle = theme.ground;
		context.fillRect(x + width - 0.5, at, 0.5, high);
	}
	if (!look.text || width < 24 || high < 11)
		return;
	context.fillStyle = look.ink || "#fff";
	drawLabel(look.text, x, at, width, high);
}

// Draws all slices of a lane. Those of less than a pixel are taken together: the one that has
// most of the pixel is drawn, as faint as the pixel is empty.
function paintLane(lane, y, height, lookOf) {
	const context = frame.context;
	const scale = frame.width / (view.to - view.from);
	const right = frame.left + frame.width;
	let pixel = -1, best = 0, bestIndex = 0, bestChunk = null, covered = 0;

	function flush() {
		if (pixel < 0)
			return;
		const look = lookOf(bestChunk.value[bestIndex], bestChunk, bestIndex);

		context.globalAlpha = Math.min(1, 0.3 + 0.7 * covered);
		context.fillStyle = look.pattern ? hatch(context, look.colour) : look.colour;
		const high = Math.max(1, Math.round(height * look.part));

		context.fillRect(pixel, y + height - high, 1, high);
		context.globalAlpha = 1;
		pixel = -1;
	}

	for (const chunk of lane.chunks(view.from, view.to, 1 / scale)) {
		const { begin, end, count } = chunk;

		for (let i = firstAbove(end, view.from, 0, count); i < count; i++) {
			if (begin[i] > view.to)
				break;
			const x = frame.left + (begin[i] - view.from) * scale;
			const width = (end[i] - begin[i]) * scale;

			if (width >= 1) {
				flush();
				// edges between two pixels would be blurred
				const from = Math.round(Math.max(x, frame.left));

				drawSlice(lookOf(chunk.value[i], chunk, i), from,
					Math.round(Math.min(x + width, right)) - from, y, height);
				continue;
			}
			const at = Math.floor(x);

			if (at !== pixel) {
				flush();
				pixel = at;
				best = covered = 0;
				bestIndex = i;
				bestChunk = chunk;
			}
			covered += width;
			if (width > best) {
				best = width;
				bestIndex = i;
				bestChunk = chunk;
			}
		}
	}
	flush();
}

// Where losses of a time are in the picture; those that touch each other there are one. Each has so
// many pixels at least, so that none is too short to be seen.
function lossesIn(chunk, { from, to }, least, placeOf) {
	const places = [];

	for (let i = chunk.first(from); i < chunk.count && chunk.begin[i] <= to; i++) {
		const left = placeOf(chunk.begin[i]);
		const right = Math.max(left + least, placeOf(chunk.end[i]));
		const before = places[places.length - 1];

		if (before && left <= before.right)
			before.right = Math.max(before.right, right);
		else
			places.push({ left, right });
	}
	return places;
}

// The place is made empty and filled with lines, so that nothing is seen there that is not known.
function paintLosses({ chunk }, y, height) {
	const context = frame.context;
	const placeOf = (time) => clamp(xOf(time), frame.left, frame.left + frame.width);

	for (const { left, right } of lossesIn(chunk, view, 3, placeOf)) {
		context.fillStyle = theme.ground;
		context.fillRect(left, y, right - left, height);
		context.fillStyle = hatch(context, theme.loss);
		context.fillRect(left, y, right - left, height);
		context.fillStyle = theme.loss;
		context.fillRect(left, y, 1, height);
		context.fillRect(right - 1, y, 1, height);
	}
}

// Texts that programs have written: a line each, wherever they are.
function paintTexts(lane, y, height) {
	const { context } = frame;

	context.fillStyle = theme.marker;
	for (const chunk of lane.chunks()) {
		for (let i = chunk.first(view.from); i < chunk.count; i++) {
			if (chunk.begin[i] > view.to)
				break;
			context.fillRect(Math.round(xOf(chunk.begin[i])), y, 2, height);
		}
	}
}

// A counter: steps, as high as its largest value in the picture.
function paintCounter(lane, y, height) {
	const context = frame.context;
	let most = 0;

	for (const chunk of lane.chunks(view.from, view.to, perPixel()))
		for (let i = chunk.first(view.from);
			i < chunk.count && chunk.begin[i] <= view.to; i++)
			most = Math.max(most, Math.abs(chunk.value[i]));
	paintLane(lane, y, height, (value) => ({
		colour: theme.span, part: most ? Math.abs(value) / most : 0,
		text: grouped(value), ink: theme.ink,
	}));
	context.fillStyle = theme.faint;
	context.fillText(grouped(most), frame.left + 4, y + 6);
}

// The slice of a lane at a time, with so many nanoseconds of reach; or null.
function sliceAt(lane, time, reach) {
	let nearest = null, distance = reach;

	for (const chunk of lane.chunks(time - reach, time + reach, 0)) {
		for (let i = firstAbove(chunk.end, time - reach, 0, chunk.count);
			i < chunk.count && chunk.begin[i] <= time + reach; i++) {
			const away = time < chunk.begin[i] ? chunk.begin[i] - time :
				time > chunk.end[i] ? time - chunk.end[i] : 0;

			if (away > distance || (nearest && away === distance))
				continue;
			distance = away;
			nearest = { begin: chunk.begin[i], end: chunk.end[i], value: chunk.value[i],
				chunk, index: i };
		}
	}
	return nearest;
}
