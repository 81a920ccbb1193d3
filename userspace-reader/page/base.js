// SPDX-License-Identifier: GPL-2.0
// What all rooms need: elements of the page, times and numbers as texts, searches in columns.
"use strict";

// element("div", {class: "x"}, "text", other) - texts of a trace reach the page here and by
// textContent alone, so that markup in the name of a task stays a text.
function element(tag, attributes, ...inner) {
	const made = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes || {})) {
		if (name.startsWith("on"))
			made.addEventListener(name.slice(2), value);
		else if (value !== undefined && value !== false)
			made.setAttribute(name, value === true ? "" : value);
	}
	made.append(...inner.filter((one) => one !== null && one !== undefined));
	return made;
}

function byId(id) {
	return document.getElementById(id);
}

// Replaces what an element holds.
function fill(where, ...inner) {
	where.replaceChildren(...inner.filter((one) => one !== null && one !== undefined));
}

// The first index from low on whose value is above a limit; the column ascends.
function firstAbove(column, limit, low = 0, high = column.length) {
	while (low < high) {
		const middle = (low + high) >> 1;

		if (column[middle] > limit)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

function clamp(value, low, high) {
	return Math.max(low, Math.min(high, value));
}

// 1234567 -> "1,234,567", in any language of the browser
function grouped(number) {
	return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

// A length of time with a fitting unit: 1.234 ms
function lengthText(ns) {
	const size = Math.abs(ns);

	if (size >= 1e9)
		return `${(ns / 1e9).toFixed(3)} s`;
	if (size >= 1e6)
		return `${(ns / 1e6).toFixed(3)} ms`;
	if (size >= 1e3)
		return `${(ns / 1e3).toFixed(3)} µs`;
	return `${Math.round(ns)} ns`;
}

// Steps of an axis: 1, 2 or 5 times a power of ten, at least as long as asked for.
function stepFor(least) {
	const power = 10 ** Math.floor(Math.log10(least));

	for (const times of [1, 2, 5])
		if (times * power >= least)
			return Math.max(1, times * power);
	return Math.max(1, 10 * power);
}

// Calls a function at most once a frame, however often it is asked for.
function onceAFrame(what) {
	let asked = false;

	return () => {
		if (asked)
			return;
		asked = true;
		requestAnimationFrame(() => {
			asked = false;
			what();
		});
	};
}
