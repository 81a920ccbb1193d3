// SPDX-License-Identifier: GPL-2.0
// Begins: reads the index, tells what the page holds, and opens the rows of the busiest tasks.

const tasksOpened = 6;

function tell(text) {
	const notice = byId("notice");

	notice.textContent = text;
	notice.hidden = !text;
}

// Light, dark, or as the system has it.
const themes = ["auto", "light", "dark"];
let themeNumber = 0;

function applyTheme() {
	const dark = themes[themeNumber] === "dark" || themes[themeNumber] === "auto" &&
		matchMedia("(prefers-color-scheme: dark)").matches;

	document.documentElement.classList.toggle("dark", dark);
	byId("theme").textContent = `Theme: ${themes[themeNumber]}`;
	readTheme();
	forgetRows();
	drawSoon();
}

function startTools() {
	byId("theme").addEventListener("click", () => {
		themeNumber = (themeNumber + 1) % themes.length;
		applyTheme();
	});
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
	byId("clock").addEventListener("click", toggleWall);
	byId("clock").hidden = trace.wall === null;
	byId("save").addEventListener("click", saveSelected);
	byId("keys").addEventListener("click", toggleHelp);
	on("draw", () => {
		byId("clock").textContent = view.wall ? "Wall clock" : "Seconds";
	});
	addEventListener("beforeprint", () => drawTimeline(true));
	addEventListener("afterprint", drawSoon);
	addEventListener("hashchange", restoreLink);
}

// How many events it holds of how many, and what is lost or left out.
function describe() {
	const machines = trace.machines.map(({ index }) =>
		[index.hostname, index.kernel_release, index.architecture]
			.filter(Boolean).join(" "));
	const lost = trace.lost ? element("span", { class: "lost" },
		` · ${grouped(trace.lost)} lost`) : null;

	byId("name").textContent = document.title.replace(/ - tring$/, "");
	fill(byId("about"), `${grouped(trace.held)} of ${grouped(trace.events)} events`, lost,
		` · ${lengthText(trace.end - trace.begin)} · ${machines.join(", ")}`);
	const notes = [];

	if (trace.index.detail === "timeline")
		notes.push("Fields of events are left out of this page, and times are rounded.");
	if (trace.index.cut)
		notes.push("This page is a part that was saved from a larger one.");
	for (const machine of trace.machines)
		if (machine.index.left_out)
			notes.push(`The recording has left out: ${machine.index.left_out}.`);
	tell(notes.filter(Boolean).join(" "));
}

// Which tasks had CPUs longest.
function openBusiest() {
	const busy = new Map();

	for (const { summary, long } of trace.machines) {
		for (const { runs } of summary ? [summary, long] : [long])
			for (let i = 0; i < runs.count; i++)
				if (runs.task[i] >= 0)
					busy.set(runs.task[i], (busy.get(runs.task[i]) || 0) +
						runs.end[i] - runs.begin[i]);
	}
	for (const [task] of [...busy].sort((x, y) => y[1] - x[1]).slice(0, tasksOpened))
		view.tasks.add(task);
}

async function start() {
	try {
		applyTheme();
		await loadTrace();
	} catch (error) {
		tell(`This page cannot be shown: ${error.message}`);
		throw error;
	}
	describe();
	startTimeline();
	startPointer();
	startKeys();
	startPanel();
	startSearch();
	startTools();
	if (!restoreLink()) {
		openBusiest();
		showAll();
	}
	selectionChanged();
	document.documentElement.dataset.ready = "1";
}

document.addEventListener("DOMContentLoaded", start);
