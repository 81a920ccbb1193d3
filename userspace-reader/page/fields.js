// SPDX-License-Identifier: GPL-2.0
// The fields of a piece's events: a table for each kind of event, a column for each field.

const readers = ["exact", "exactSigned", "exactSigned", "exactSigned"];

// As a number of 64 bits, if a double does not have it exactly.
function sumExact(one, other) {
	const sum = typeof one === "bigint" || typeof other === "bigint" ? NaN : one + other;

	return Number.isSafeInteger(sum) ? sum :
		smaller(BigInt.asIntN(64, BigInt(one) + BigInt(other)));
}

// A column begins with the way its numbers are written: as such, signed, as the difference from
// the one before, or from the sum of that and the number beside it in the column before. They are
// in the order of tasks, and are returned in that of time.
function valuesOf(column, count, order, beside) {
	const mode = column.number(), read = readers[mode];
	const values = new Array(count);
	let before = 0;

	for (let i = 0; i < count; i++) {
		const at = order.length === count ? order[i] : i;
		let value = column[read]();

		if (mode >= 2)
			value = sumExact(before, value);
		if (mode === 3)
			value = sumExact(beside[at], value);
		values[at] = before = value;
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
		for (const i of orderOf(piece.whose, piece.whos.length))
			this.groups.get(piece.kind[i])?.order.push(this.row[i]);
	}

	readGroup(machine, columns) {
		const head = columns.shift();
		const kind = head.number(), rows = head.number(), count = head.number();

		this.groups.set(kind, { rows, kind: machine.index.kinds[kind - 2],
			packed: columns.splice(0, count), order: [], columns: null });
	}

	// Most kinds are never looked at, so a table is unpacked when one of its events is.
	tableOf(number) {
		const group = this.groups.get(number);

		if (!group || group.columns)
			return group;
		const { rows, packed, kind, order } = group;
		let beside = [];
		const next = (count) => beside = valuesOf(packed.shift(), count, order, beside);

		group.columns = (kind?.fields ?? [])
			.map((field) => this.columnOf(field, next, rows));
		// behind a plan's text, 0 is nothing
		if (packed.length)
			group.texts = next(rows)
				.map((text) => this.texts[kind?.plan ? text - 1 : text]);
		return group;
	}

	columnOf(field, next, rows) {
		if (field.type === "text")
			return next(rows).map((text) => this.texts[text]);
		if (field.type === "number")
			return next(rows);
		const lengths = next(rows);

		if (field.places && field.places <= 16) {
			const places = Array.from({ length: field.places }, () => next(rows));

			return lengths.map((length, row) =>
				places.slice(0, length).map((place) => place[row]));
		}
		const all = next(sumOf(lengths, (length) => length));
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
	await piece.load();
	if (piece.fields || trace.index.detail !== "all")
		return piece.fields;
	const bytes = await unpack(`e${piece.id}${piece.machine.suffix}`);

	piece.fields = bytes && new Fields(piece.machine, piece, bytes);
	return piece.fields;
}
