// SPDX-License-Identifier: GPL-2.0
// Shows the tables of a time.

const rowsShown = 50;
const sorting = new Map();

async function showTables(where, { from, to }, stillAsked) {
	const parts = [];

	where.setAttribute("aria-busy", true);
	for (const machine of trace.machines) {
		const progress = (piece) => {
			byId("time").dataset.done =
				`${Math.floor((piece.last - from) / (to - from || 1) * 100)} %`;
			return stillAsked();
		};
		const count = await countTime(machine, from, to, progress);

		if (!count || !stillAsked())
			return;
		if (trace.machines.length > 1)
			parts.push(element("h2", {}, machine.name));
		for (const name of Object.keys(tables))
			parts.push(...tableElements(machine, count, name));
	}
	where.removeAttribute("aria-busy");
	delete byId("time").dataset.done;
	fill(where, ...parts);
}

function tableElements(machine, count, name) {
	const rows = count.rows(name);

	if (!rows.length)
		return name === "losses" ? [element("h2", {}, "Losses"), element("p", {},
			"nothing was lost")] : [];
	const table = element("table", { id: `table-${name}` });
	const draw = () => fillTable(table, machine, name, rows, draw);

	draw();
	return [element("h2", {}, tables[name].title), table];
}

function fillTable(table, machine, name, rows, again) {
	const { columns, text } = tables[name];
	const { column, reverse } = sorting.get(name) || { column: tables[name].sort };
	const head = element("tr");

	sortRows(name, rows, column, reverse);
	for (const one of [...columns.map(([title]) => title), text ?? ""])
		head.append(element("th", { "aria-sort": one === column ? "other" : undefined },
			element("button", { onclick: () => {
				sorting.set(name, { column: one,
					reverse: column === one && !reverse });
				again();
			} }, one)));
	const body = rows.slice(0, rowsShown).map((row) => rowElement(machine, name, row, rows));

	fill(table, element("thead", {}, head), element("tbody", {}, ...body));
	if (rows.length > rowsShown)
		table.append(element("tfoot", {}, element("tr", {}, element("td",
			{ colspan: columns.length + 1 }, `${rows.length - rowsShown} more`))));
}

function rowElement(machine, name, row, rows) {
	const made = element("tr");

	tables[name].columns.forEach(([, unit], i) => {
		const jumps = unit === "stamp" && row.values[i] !== null;

		made.append(element("td", { class: jumps ? "link" : undefined,
			onclick: jumps ? () => reveal(row.values[i], row.values[i]) : undefined },
		shownText(machine, unit, row.values[i])));
	});
	if (row.task !== undefined)
		made.append(element("td", { class: "link", onclick: () => openTask(row.task) },
			row.text));
	else if (name === "rate")
		made.append(element("td", {}, rateBar(row, rows)));
	else
		made.append(element("td", {}, row.text || ""));
	return made;
}

function rateBar(row, rows) {
	const most = Math.max(...rows.map(({ values }) => values[1]));
	const bar = element("span", { class: "bar" });

	bar.style.width = `${most ? 160 * row.values[1] / most : 0}px`;
	return bar;
}

// Fewer digits than the numbers have, as on a terminal; the last ones are cut off.
function shownText(machine, unit, value) {
	if (value === null)
		return "-";
	if (unit === "stamp" && view.wall)
		return timeText(value, machine);
	const text = valueText(machine, unit, value);

	return unit === "count" ? text : text.slice(0, text.length -
		{ part: 2, s: 3, ms: 3, us: 0, stamp: 0 }[unit]);
}
