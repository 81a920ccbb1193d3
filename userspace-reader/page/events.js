// SPDX-License-Identifier: GPL-2.0
// The list of events of a time. Only the lines that are seen are made, so it may be long; with
// a filter the places of the lines that fit are found first.

const lineHeight = 18;
// what a browser can scroll; longer lists are scrolled in larger steps
const tallest = 8000000;
const mostFound = 200000;
const filters = { task: "", event: "", cpu: "", text: "", machine: 0 };

const listed = { pieces: [], starts: [], count: 0, found: null, drawn: 0 };

async function showEvents(where, { from, to }, stillAsked) {
	const machine = trace.machines[filters.machine];

	if (!byId("lines"))
		fill(where, filterInputs(), element("p", { id: "lines-count" }),
			element("div", { id: "lines" }));
	where.onscroll = onceAFrame(drawLines);
	const found = await findLines(machine, from, to, stillAsked);

	if (!found || !stillAsked())
		return;
	Object.assign(listed, found);
	byId("lines-count").textContent = linesText();
	byId("lines").style.height = `${Math.min(listed.count * lineHeight, tallest)}px`;
	await drawLines();
}

function linesText() {
	const { task, event, cpu, text } = filters;

	if (!task && !event && !cpu && !text)
		return `${grouped(listed.count)} events and losses`;
	return `${grouped(listed.count)}${listed.cut ? " (and more)" : ""} fit the filter`;
}

function filterInputs() {
	const inputs = ["task", "event", "cpu", "text"].map((name) => element("input", {
		type: "search", id: `filter-${name}`, placeholder: name,
		"aria-label": `Filter: ${name}`, value: filters[name], oninput: (event) => {
			filters[name] = event.target.value.trim();
			rememberSoon();
			tellSoon();
		} }));

	if (trace.machines.length > 1)
		inputs.unshift(element("select", { "aria-label": "Machine", onchange: (event) => {
			filters.machine = Number(event.target.value);
			tellSoon();
		} }, ...trace.machines.map(({ name, number }) =>
			element("option", { value: number, selected: number === filters.machine },
				name))));
	return element("div", { class: "filters" }, ...inputs);
}

// Does a moment fit the filters? The text is looked at last, because it has to be made.
function makeFits(machine) {
	const { task, event, cpu, text } = filters;
	const tests = [];

	if (cpu)
		tests.push((piece, i) => String(machine.cpus[piece.cpu[i]].cpu) === cpu);
	if (task)
		tests.push((piece, i) => {
			const { pid, comm } = piece.whos[piece.whose[i]];

			return piece.kind[i] > 0 && (String(pid) === task || comm.includes(task));
		});
	if (event)
		tests.push((piece, i) => piece.kind[i] > 1 &&
			machine.index.kinds[piece.kind[i] - 2].name.includes(event));
	if (text)
		tests.push((piece, i) =>
			lineOf(piece, i).toLowerCase().includes(text.toLowerCase()));
	return tests.length ? (piece, i) => tests.every((test) => test(piece, i)) : null;
}

// Where the lines are: pieces with the number of their first line, or the moments that fit.
async function findLines(machine, from, to, stillAsked) {
	const fits = makeFits(machine);
	const found = { pieces: [], starts: [], count: 0, found: fits && [], cut: false, machine };
	const pieces = machine.pieces.filter((piece) => piece.last >= from && piece.first <= to);

	for (const piece of pieces) {
		const whole = piece.first >= from && piece.last <= to;

		if (!whole || fits)
			await piece.load();
		if (fits && filters.text)
			await loadFields(piece);
		if (!stillAsked())
			return null;
		const low = whole ? 0 : firstAbove(piece.time, from - 0.5);
		const high = whole ? piece.moments : firstAbove(piece.time, to);

		if (!fits) {
			found.pieces.push({ piece, low });
			found.starts.push(found.count);
			found.count += high - low;
			continue;
		}
		for (let i = low; i < high && !found.cut; i++) {
			if (fits(piece, i))
				found.cut = found.found.push({ piece, moment: i }) >= mostFound;
		}
	}
	if (fits)
		found.count = found.found.length;
	return found;
}

// The piece and the moment of a line.
function lineAt(number) {
	if (listed.found)
		return listed.found[number];
	const at = firstAbove(listed.starts, number) - 1;
	const { piece, low } = listed.pieces[at];

	return { piece, moment: low + number - listed.starts[at] };
}

// The first line that is seen.
function firstLine(content, lines) {
	const top = Math.max(0, content.scrollTop - lines.offsetTop);
	const height = Math.min(listed.count * lineHeight, tallest);

	if (height < tallest)
		return { number: Math.floor(top / lineHeight), y: 0 };
	const most = Math.max(1, height - content.clientHeight);

	return { number: Math.floor(clamp(top / most, 0, 1) *
		Math.max(0, listed.count - content.clientHeight / lineHeight)), y: top };
}

async function drawLines() {
	const content = byId("content"), lines = byId("lines");
	const mine = ++listed.drawn;

	if (!lines)
		return;
	const { number, y } = firstLine(content, lines);
	const fits = Math.ceil(content.clientHeight / lineHeight) + 2;
	const shown = Math.min(listed.count - number, fits);
	const made = [];

	for (let i = 0; i < shown; i++) {
		const { piece, moment } = lineAt(number + i);

		await piece.load();
		await loadFields(piece);
		if (mine !== listed.drawn)
			return;
		made.push(lineElement(piece, moment, (y || number * lineHeight) + i * lineHeight));
	}
	fill(lines, ...made);
}

function lineElement(piece, moment, y) {
	const loss = piece.kind[moment] === 0;
	const here = view.event?.piece === piece && view.event.moment === moment;
	const line = element("div", {
		class: `line${loss ? " loss" : ""}${here ? " here" : ""}`,
		onclick: () => goTo(piece, moment),
	}, lineOf(piece, moment).replaceAll("\n", " ↵ "));

	line.style.top = `${y}px`;
	return line;
}

// Shows a moment in the picture.
async function goTo(piece, moment) {
	await piece.load();
	view.event = { piece, moment, time: piece.time[moment],
		task: piece.whoTask[piece.whose[moment]] };
	reveal(view.event.time, view.event.time);
	byId("lines")?.querySelector(".here")?.classList.remove("here");
	selectionChanged();
}

// The task of which "next event" is: that of the event, or of what is picked.
function pickedTask() {
	const { picked } = view;

	if (picked?.row.task)
		return picked.row.task.number;
	if (picked?.what === "run" && picked.slice.value >= 0)
		return picked.slice.value;
	return view.event ? view.event.task : -1;
}

// The next event of a task, or the one before; from a time on, if one is given.
async function stepEvent(direction, time) {
	const task = pickedTask();

	if (task < 0)
		return;
	const { machine } = trace.tasks[task];
	const at = time === undefined && view.event?.task === task ? view.event :
		{ time: time ?? view.picked.slice.begin, piece: null };
	const pieces = machine.pieces.filter((piece) => direction > 0 ? piece.last >= at.time :
		piece.first <= at.time);

	for (const piece of direction > 0 ? pieces : pieces.reverse()) {
		await piece.load();
		let i = piece === at.piece ? at.moment + direction : direction > 0 ?
			firstAbove(piece.time, at.time) : firstAbove(piece.time, at.time - 0.5) - 1;

		for (; i >= 0 && i < piece.moments; i += direction) {
			if (piece.kind[i] === 0 || piece.whoTask[piece.whose[i]] !== task)
				continue;
			await loadFields(piece);
			await goTo(piece, i);
			return;
		}
	}
	tell(`This task has no ${direction > 0 ? "later" : "earlier"} event.`);
}
