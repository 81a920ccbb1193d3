// SPDX-License-Identifier: GPL-2.0
// Colours: those of the theme are in page.css alone; those of tasks are computed.

// Hues that stay apart for the colour-blind (Okabe and Ito's, without the vermilion and the
// yellow, which are those of interrupts), each in several lightnesses: lightness is what all
// can see.
const taskHues = [204, 166, 226, 150, 262, 186, 300, 214];
const taskLights = [36, 46, 60];

let theme = {};
const taskColours = new Map(), taskInks = new Map();

// The colours of page.css, read again when light and dark change.
function readTheme() {
	const probe = element("i");

	document.body.append(probe);
	theme = { dark: document.documentElement.classList.contains("dark") };
	for (const name of ["ground", "panel", "ink", "faint", "line", "idle", "irq", "softirq",
		"loss", "runnable", "blocked", "disk", "span", "call", "accent", "marker",
		"unknown"]) {
		probe.style.color = `var(--${name})`;
		theme[name] = getComputedStyle(probe).color;
	}
	probe.remove();
	taskColours.clear();
	hatches.clear();
}

function hashOf(text) {
	let hash = 2166136261;

	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
	// FNV's low bits of short texts that are alike are too
	hash ^= hash >>> 15;
	return Math.imul(hash, 2246822519) >>> 8;
}

// The colour of a task: that of its name, so that it is the same in each trace.
function taskColour(name) {
	let colour = taskColours.get(name);

	if (!colour) {
		const hash = hashOf(name);
		const hue = taskHues[hash % taskHues.length];
		const light = taskLights[(hash >>> 8) % taskLights.length];

		// a text in it has to be read
		taskInks.set(name, light > 46 ? "#10151a" : "#fff");
		colour = `hsl(${hue} ${theme.dark ? 42 : 46}% ${light}%)`;
		taskColours.set(name, colour);
	}
	return colour;
}

// Lines across: what is lost or unknown must not look like anything that was.
const hatches = new Map();

function hatch(context, colour) {
	if (!hatches.has(colour)) {
		const tile = document.createElement("canvas");

		tile.width = tile.height = 8;
		const inner = tile.getContext("2d");

		inner.strokeStyle = colour;
		inner.lineWidth = 2;
		inner.beginPath();
		for (const at of [-8, 0, 8]) {
			inner.moveTo(at - 1, 9);
			inner.lineTo(at + 9, -1);
		}
		inner.stroke();
		hatches.set(colour, context.createPattern(tile, "repeat"));
	}
	return hatches.get(colour);
}
