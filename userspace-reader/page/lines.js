// SPDX-License-Identifier: GPL-2.0
// The lines of "tring report", of moments.

const nameWidth = 22;

// As report prints them: what is no character that is seen is written with a backslash.
function escaped(text, tabs = false) {
	return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (one) => tabs && one === "\t" ? one :
		`\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

// printf() counts bytes.
function whoText({ pid, comm }) {
	const name = escaped(comm), more = new TextEncoder().encode(name).length - name.length;

	return `${name.padStart(16 - more)}-${String(pid).padEnd(7)}`;
}

// Fields have to be there, if the page has them: await loadFields(piece).
function lineOf(piece, moment) {
	const machine = piece.machine;
	const cpu = machine.cpus[piece.cpu[moment]].cpu;
	const kind = piece.kind[moment];

	if (kind === 0)
		return lossLine(cpu, piece.lossAt.get(moment));
	const context = machine.index.contexts[piece.context[moment]];
	const stamp = fixed(machine.stampOf(piece.time[moment]), 9).slice(0, -3);
	const head = `${whoText(piece.whos[piece.whose[moment]])} ` +
		`[${String(cpu).padStart(3, "0")}] ${context} ${stamp.padStart(13)}: `;

	return head + nameOfKind(machine, kind) + textOf(piece, moment);
}

function nameOfKind(machine, kind) {
	return kind < 2 ? "" : `${machine.index.kinds[kind - 2].name}:`.padEnd(nameWidth - 1) + " ";
}

function lossLine(cpu, { events, packets }) {
	const lines = [];

	if (events)
		lines.push(`CPU:${cpu} [LOST ${events} EVENTS]`);
	if (packets)
		lines.push(`CPU:${cpu} [${packets} PACKETS MISSING]`);
	return lines.join("\n");
}

// The columns of some formats are divided by tabs.
function planText(kind, values) {
	const tabs = kind.plan.some(([op, text]) => op === "t" && text.includes("\t"));

	return escaped(new PlanRun(kind, values).text().replace(/\n+$/, ""), tabs);
}

function textOf(piece, moment) {
	const kind = piece.machine.index.kinds[piece.kind[moment] - 2];

	if (!piece.fields)
		return "";
	const { values, text } = piece.fields.eventAt(piece, moment);

	return kind?.plan ? planText(kind, values) + text : text;
}

// A column has its numbers with a sign or without one, whichever is shorter.
function withSign({ type, signed }, value) {
	if (type === "text")
		return value;
	return [value].flat().map((one) => signed ? BigInt.asIntN(64, BigInt(one)) :
		BigInt.asUintN(64, BigInt(one)));
}

// Names and values of a moment's fields.
function fieldsOf(piece, moment) {
	const kind = piece.machine.index.kinds[piece.kind[moment] - 2];

	if (!piece.fields || !kind)
		return [];
	return piece.fields.eventAt(piece, moment).values
		.map((value, i) => [kind.fields[i].name, String(withSign(kind.fields[i], value))]);
}
