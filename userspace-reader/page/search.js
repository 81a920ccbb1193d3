// SPDX-License-Identifier: GPL-2.0
// Search: tasks by name and pid, kinds of events, and the text of events.

const mostTasks = 12, mostTexts = 30;
let searching = 0;

function startSearch() {
	const input = byId("search");
	let timer = 0;

	input.addEventListener("input", () => {
		clearTimeout(timer);
		timer = setTimeout(() => runSearch(input.value.trim()), 150);
	});
	input.addEventListener("keydown", (event) => {
		if (event.key === "Enter")
			byId("found").querySelector("button")?.click();
		if (event.key === "Escape")
			byId("found").hidden = true;
	});
	document.addEventListener("pointerdown", (event) => {
		if (!event.target.closest("#found, #search"))
			byId("found").hidden = true;
	});
}

async function runSearch(text) {
	const found = byId("found");
	const mine = ++searching;

	found.hidden = !text;
	if (!text)
		return;
	const low = text.toLowerCase();
	const results = [...findTasks(low), ...findKinds(low)];

	fill(found, ...results, element("p", {}, "looking at the events …"));
	const more = await findTexts(low, () => mine === searching);

	if (mine !== searching)
		return;
	fill(found, ...results, ...more);
	if (!results.length && !more.length)
		fill(found, element("p", {}, "nothing found"));
}

function resultButton(text, what) {
	return element("button", { onclick: () => {
		byId("found").hidden = true;
		what();
	} }, text);
}

function findTasks(low) {
	return trace.tasks.filter((task) => task.name.toLowerCase().includes(low))
		.slice(0, mostTasks)
		.map((task) => resultButton(`task ${task.name}`, () => openTask(task.number)));
}

// Events are searched for by the filter of the list.
function findKinds(low) {
	const names = new Set(trace.machines.flatMap(({ index }) =>
		index.kinds.filter(({ count }) => count).map(({ name }) => name)));

	return [...names].filter((name) => name.includes(low)).slice(0, mostTasks)
		.map((name) => resultButton(`events ${name}`, () => {
			filters.event = name;
			byId("lines")?.remove();
			setTab("events");
		}));
}

// In the order of time, from the begin of what is seen, and then from that of the trace.
async function findTexts(low, stillAsked) {
	const found = [];

	for (const machine of trace.machines) {
		const behind = firstAbove(machine.lasts, view.from);
		const pieces = [...machine.pieces.slice(behind),
			...machine.pieces.slice(0, behind)];

		for (const piece of pieces) {
			await loadFields(piece);
			await piece.load();
			if (!stillAsked())
				return [];
			for (let i = 0; i < piece.moments && found.length < mostTexts; i++) {
				const line = lineOf(piece, i);

				if (line.toLowerCase().includes(low))
					found.push(resultButton(line, () => goTo(piece, i)));
			}
			if (found.length >= mostTexts)
				return found;
		}
	}
	return found;
}
