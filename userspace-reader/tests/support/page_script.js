// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the scripts of a page without a browser.
 *
 *	node page_script.js PAGE TABLE...
 *
 * Prints the rows of tables of the whole time of the first trace: the name and the value of each
 * column, and the text; or, of the table "counters", the values of each counter; or, of the table
 * "lines", the line of each event, and the names and the values of its fields.
 */
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm');

const page = fs.readFileSync(process.argv[2], 'latin1');
const blocks = new Map();
for (const [, id, textContent] of page.matchAll(/<script type="[^"]*" id="(\w+)">([^<]*)</g))
	blocks.set(id, {textContent});

const show = `
async function show() {
	await loadTrace();
	const [machine] = trace.machines;
	const count = await countTime(machine, 0, machine.timeOf(machine.index.end));

	for (const {name, lane: {chunk}} of wanted.includes("counters") ? machine.counters : [])
		print(...chunk.value, name);
	// all pieces have been used then, and all but one have given their memory back
	await machine.eachPiece(0, machine.timeOf(machine.index.end), () => true);
	for (const piece of wanted.includes("lines") ? machine.pieces : []) {
		await loadFields(piece);
		for (let i = 0; i < piece.moments; i++)
			print(lineOf(piece, i), ...fieldsOf(piece, i).map(one => one.join("=")));
	}
	for (const name of wanted.filter(one => tables[one]))
		for (const {values, text} of sortRows(name, count.rows(name)))
			print(...values.map((value, i) => {
				const [column, unit] = tables[name].columns[i];

				return column + "=" + valueText(machine, unit, value);
			}), text ?? "");
}
show().then(() => end(0), (error) => print(error.stack) || end(1));
`;
const files = ['base', 'codec', 'fields', 'flame', 'lines', 'model', 'piece', 'plan', 'summary',
	'tables'];
const script = files.map(name =>
	fs.readFileSync(path.join(__dirname, '../../page', name + '.js'), 'utf8')).join('')
	.replace('piecesKept = 160', 'piecesKept = 1');

vm.runInNewContext(script + show, {
	Blob, DecompressionStream, MessageChannel, Response, TextDecoder, TextEncoder, performance,
	setTimeout, Uint8Array, document: {getElementById: id => blocks.get(id)},
	wanted: process.argv.slice(3), print: console.log, end: process.exit,
	requestAnimationFrame: setTimeout,
});
