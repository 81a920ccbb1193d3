// SPDX-License-Identifier: GPL-2.0
// The fields of a piece's events: a table for each kind of event, a column for each field.

const noSuch = { 0: "exact", 1: "exactSigned", 2: "exactSigned" };

// A column begins with the way its numbers are written.
function valuesOf(column, count) {
	const mode = column.number();
	const values = new Array(count);
	let before = 0;

	for (let i = 0; i < count; i++) {
		let value = column[noSuch[mode]]();

		if (mode === 2)
			value = typeof value === "bigint" || typeof before === "bigint" ||
				!Number.isSafeInteger(before + value) ?
				smaller(BigInt.asIntN(64, BigInt(before) + BigInt(value))) :
				before + value;
		values[i] = before = value;
	}
	return values;
}

class Fields {
	constructor(machine, piece, bytes) {
		const columns = columnsOf(bytes);
		const head = columns.shift(), texts = columns.shift();

		this.texts = Array.from({ length: head.number() }, () => texts.text());
		this.groups = new Map();
		for (let left = head.number(); left > 0; left--)
			this.readGroup(machine, columns);
		// the place of each moment in the table of its kind
		this.row = new Int32Array(piece.kind.length);
		const seen = [];

		piece.kind.forEach((kind, i) => {
			this.row[i] = seen[kind] = (seen[kind] ?? -1) + 1;
		});
	}

	readGroup(machine, columns) {
		const head = columns.shift();
		const kind = head.number(), rows = head.number(), count = head.number();

		this.groups.set(kind, { rows, kind: machine.index.kinds[kind - 2],
			packed: columns.splice(0, count), columns: null });
	}

	// Most kinds are never looked at, so a table is unpacked when one of its events is.
	tableOf(number) {
		const group = this.groups.get(number);

		if (!group || group.columns)
			return group;
		const { rows, packed, kind } = group;

		group.columns = (kind?.fields ?? [])
			.map((field) => this.columnOf(field, packed, rows));
		// behind a plan's text, 0 is nothing
		if (packed.length)
			group.texts = valuesOf(packed.shift(), rows)
				.map((text) => this.texts[kind?.plan ? text - 1 : text]);
		return group;
	}

	columnOf(field, packed, rows) {
		if (field.type === "text")
			return valuesOf(packed.shift(), rows).map((text) => this.texts[text]);
		if (field.type === "number")
			return valuesOf(packed.shift(), rows);
		const lengths = valuesOf(packed.shift(), rows);

		if (field.places && field.places <= 16) {
			const places = Array.from({ length: field.places }, () =>
				valuesOf(packed.shift(), rows));

			return lengths.map((length, row) =>
				places.slice(0, length).map((place) => place[row]));
		}
		const all = valuesOf(packed.shift(), sumOf(lengths, (length) => length));
		let at = 0;

		return lengths.map((length) => all.slice(at, at += length));
	}

	// The fields of a moment, and its text, of which a plan makes what is in front of it.
	eventAt(piece, moment) {
		const table = this.tableOf(piece.kind[moment]);
		const row = this.row[moment];

		return {
			values: table ? table.columns.map((column) => column[row]) : [],
			text: table?.texts?.[row] ?? "",
		};
	}
}

async function loadFields(piece) {
	if (piece.fields || trace.index.detail !== "all")
		return piece.fields;
	await piece.load();
	const bytes = await unpack(`e${piece.id}${piece.machine.suffix}`);

	piece.fields = bytes && new Fields(piece.machine, piece, bytes);
	return piece.fields;
}
