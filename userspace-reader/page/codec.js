// SPDX-License-Identifier: GPL-2.0
// The blocks of data in this page, and what they are made of: columns of numbers of variable
// length. docs/page.md has the format.

// What is unpacked has turns, one after another. A frame gives them so many milliseconds, and then
// the next one comes: a picture is not late, however much is asked for.
const turns = [], turnChannel = new MessageChannel(), turnTime = 16;
let turnsEnd = 0;

turnChannel.port1.onmessage = () => {
	turns.shift()();
	if (turns.length)
		nextTurn();
};

function nextTurn() {
	const ask = () => turnChannel.port2.postMessage(0);

	if (performance.now() < turnsEnd)
		ask();
	else
		requestAnimationFrame(() => {
			turnsEnd = performance.now() + turnTime;
			ask();
		});
}

function turn() {
	return new Promise((done) => {
		if (turns.push(done) === 1)
			nextTurn();
	});
}

// Ascii85, but for "<", which is "v". What a last group lacks is its highest digit.
function bytesOf(text) {
	const size = Math.floor(text.length / 5 * 4), padded = text.padEnd(text.length + 3, "u");
	const view = new DataView(new ArrayBuffer(size + 4));

	for (let at = 0, i = 0; at < size; at += 4) {
		let value = 0;

		for (const end = i + 5; i < end; i++) {
			const code = padded.charCodeAt(i);

			value = value * 85 + (code === 118 ? 27 : code - 33);
		}
		view.setUint32(at, value);
	}
	return new Uint8Array(view.buffer, 0, size);
}

function ascii85Of(bytes) {
	let text = "";

	for (let at = 0; at < bytes.length; at += 4) {
		let value = 0, digits = "";

		for (let i = at; i < at + 4; i++)
			value = value * 256 + (bytes[i] ?? 0);
		for (let i = 0; i < 5; i++, value = Math.floor(value / 85))
			digits = String.fromCharCode(33 + value % 85) + digits;
		text += digits.slice(0, bytes.length - at + 1);
	}
	return text.replaceAll("<", "v");
}

// Data is compressed, because the page goes by mail; a block is unpacked when it is needed.
async function unpack(id) {
	await turn();
	const text = byId(id)?.textContent;

	if (!text)
		return null;
	const stream = new Blob([bytesOf(text.trim())]).stream()
		.pipeThrough(new DecompressionStream("deflate-raw"));
	const bytes = new Uint8Array(await new Response(stream).arrayBuffer());

	await turn();
	return bytes;
}

// Reads numbers one after another.
class Reader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	get ended() {
		return this.at >= this.bytes.length;
	}

	// Up to 2^53 exactly, which all counts and times are.
	number() {
		const bytes = this.bytes;
		let byte = bytes[this.at++];

		if (byte < 0x80)
			return byte;
		let value = byte & 0x7f, scale = 128;

		do {
			byte = bytes[this.at++];
			value += (byte & 0x7f) * scale;
			scale *= 128;
		} while (byte >= 0x80);
		return value;
	}

	signed() {
		const value = this.number();

		return value % 2 ? -(value + 1) / 2 : value / 2;
	}

	// A field of an event, which may be an address: a BigInt if it is too large for a number.
	exact() {
		const first = this.at;
		const value = this.number();

		if (value <= Number.MAX_SAFE_INTEGER)
			return value;
		let exact = 0n;

		for (let i = this.at - 1; i >= first; i--)
			exact = exact << 7n | BigInt(this.bytes[i] & 0x7f);
		return BigInt.asUintN(64, exact);
	}

	exactSigned() {
		const value = BigInt(this.exact());

		return smaller(value & 1n ? -(value + 1n >> 1n) : value >> 1n);
	}

	take(size) {
		const bytes = this.bytes.subarray(this.at, this.at + size);

		this.at += size;
		return bytes;
	}

	text() {
		return decodeText(this.take(this.number()));
	}
}

const utf8 = new TextDecoder();

function decodeText(bytes) {
	return utf8.decode(bytes);
}

// A BigInt as a number, if a number has it exactly.
function smaller(value) {
	const number = Number(value);

	return Number.isSafeInteger(number) ? number : value;
}

// The columns of a block, each a Reader of its own.
function columnsOf(bytes) {
	const whole = new Reader(bytes);
	const columns = [];

	while (!whole.ended)
		columns.push(new Reader(whole.take(whole.number())));
	return columns;
}

// numbers(reader, 3) - the next numbers as a column
function numbers(reader, count, kind = Int32Array) {
	const column = new kind(count);

	for (let i = 0; i < count; i++)
		column[i] = reader.number();
	return column;
}

// Bits one after another, the lowest of each byte first.
class BitReader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	// At most 32, in a double, because operators on bits have a sign there.
	take(count) {
		const byte = this.at >> 3, shift = this.at & 7;
		const bytes = this.bytes;

		this.at += count;
		if (count <= 24)
			return (bytes[byte] | bytes[byte + 1] << 8 | bytes[byte + 2] << 16 |
				bytes[byte + 3] << 24) >>> shift & (1 << count) - 1;
		const low = (bytes[byte] | bytes[byte + 1] << 8 | bytes[byte + 2] << 16 |
			bytes[byte + 3] << 24) >>> 0;

		const all = low + (bytes[byte + 4] || 0) * 2 ** 32;

		return Math.floor(all / 2 ** shift) % 2 ** count;
	}
}

// Times: a byte has the length and the three highest bits of each difference.
function timesOf(top, bits, count, first) {
	const column = new Float64Array(count);
	const rest = new BitReader(bits.bytes);
	let time = first;

	for (let i = 0; i < count; i++) {
		const head = top.bytes[i];
		const length = head >> 3;

		if (length < 31)
			time += (head & 7) * 2 ** length + rest.take(length);
		else
			time += rest.take(32) + rest.take(32) * 2 ** 32;
		column[i] = time;
	}
	return column;
}
