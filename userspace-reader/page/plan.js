// SPDX-License-Identifier: GPL-2.0
// The text of an event, by the plan that the writer has made of its print format. This is
// print/plan_run.c again, with the numbers of a kernel: 64 bits, without a sign.

const twoOperands = {
	"|": (a, b) => a | b, "&": (a, b) => a & b, "+": (a, b) => a + b, "-": (a, b) => a - b,
	"*": (a, b) => a * b, "/": (a, b) => b ? a / b : 0n, "%": (a, b) => b ? a % b : 0n,
	"<<": (a, b) => a << (b & 63n), ">>": (a, b) => a >> (b & 63n),
	"==": (a, b) => BigInt(a === b), "!=": (a, b) => BigInt(a !== b),
	"<": (a, b) => BigInt(a < b), "<=": (a, b) => BigInt(a <= b),
	">": (a, b) => BigInt(a > b), ">=": (a, b) => BigInt(a >= b),
	"&&": (a, b) => BigInt(a !== 0n && b !== 0n), "||": (a, b) => BigInt(a !== 0n || b !== 0n),
};

class PlanRun {
	constructor(kind, values) {
		this.kind = kind;
		this.values = values;
	}

	field(number, place) {
		const field = this.kind.fields[number];
		let value = this.values[number];

		if (place !== undefined)
			value = value[place] ?? 0;
		return BigInt.asUintN(8 * (field.size || 8), BigInt(value));
	}

	evaluate([what, a, b]) {
		if (what === "f")
			return this.field(a);
		if (what === "a")
			return this.field(a, b);
		const stack = [];

		for (const step of a)
			this.step(step, stack);
		return stack.pop();
	}

	step([what, a, b], stack) {
		const push = (value) => stack.push(BigInt.asUintN(64, value));

		if (what === "v")
			push(BigInt(a));
		else if (what === "f" || what === "a")
			push(this.field(a, b));
		else if (what === "m")
			push(stack.pop() & BigInt(a));
		else if (what === "!")
			push(BigInt(stack.pop() === 0n));
		else if (what === "~")
			push(~stack.pop());
		else if (what === "?") {
			const no = stack.pop(), yes = stack.pop();

			push(stack.pop() ? yes : no);
		} else {
			const right = stack.pop();

			push(twoOperands[what](stack.pop(), right));
		}
	}

	text() {
		let text = "";

		for (let at = 0; at < this.kind.plan.length; at++) {
			const op = this.kind.plan[at];

			if (op[0] === "j")
				at += op[1];
			else if (op[0] === "z")
				at += this.evaluate(op[1]) ? 0 : op[2];
			else
				text += this[`op_${op[0]}`](op);
		}
		return text;
	}

	op_t([, text]) {
		return text;
	}

	op_n([, value, bits, base, flags, width, precision]) {
		const number = this.evaluate(value);

		return printfNumber(flags & 1 ? BigInt.asIntN(bits, number) :
			BigInt.asUintN(bits, number), base, flags, width, precision);
	}

	op_p([, value]) {
		const number = this.evaluate(value);

		return number ? hex(number) : "(nil)";
	}

	op_s([, field, width, precision, left]) {
		let text = String(this.values[field] ?? "");

		if (precision >= 0)
			text = text.slice(0, precision);
		return left ? text.padEnd(width) : text.padStart(width);
	}

	op_F([, value, delimiter, names]) {
		let left = BigInt.asIntN(64, this.evaluate(value));
		const parts = [];

		for (const [bits, name] of names) {
			const wanted = BigInt.asIntN(64, BigInt(bits));

			if (!left && wanted < 0n) {
				// without a delimiter, as the reader in C prints it
				return parts.join(delimiter) + name;
			}
			if (wanted <= 0n || (left & wanted) !== wanted)
				continue;
			parts.push(name);
			left &= ~wanted;
		}
		if (left)
			parts.push(hex(BigInt.asUintN(64, left)));
		return parts.join(delimiter);
	}

	op_S([, value, names]) {
		const number = BigInt.asIntN(64, this.evaluate(value));
		const found = names.find(([one]) => BigInt.asIntN(64, BigInt(one)) === number);

		return found ? found[1] : hex(BigInt.asUintN(64, number));
	}

	op_T([, value, letters]) {
		const state = this.evaluate(value);
		const shown = [...letters].filter((letter, bit) =>
			letter !== " " && state >> BigInt(bit) & 1n);

		return shown.join("|") || "R";
	}
}

function hex(number) {
	return `0x${number.toString(16)}`;
}

// As printf writes it; flags: 2 upper case, 4 "#", 8 "-", 16 "0"
function printfNumber(value, base, flags, width, precision) {
	const negative = value < 0n;
	let digits = (negative ? -value : value).toString(base);
	let prefix = negative ? "-" : "";

	if (value === 0n && precision === 0)
		digits = "";
	if (flags & 2)
		digits = digits.toUpperCase();
	if (flags & 4 && base === 16 && value)
		prefix += flags & 2 ? "0X" : "0x";
	digits = digits.padStart(precision, "0");
	if (flags & 4 && base === 8 && !digits.startsWith("0"))
		digits = `0${digits}`;
	if (flags & 16 && !(flags & 8) && precision < 0)
		digits = digits.padStart(width - prefix.length, "0");
	return flags & 8 ? (prefix + digits).padEnd(width) : (prefix + digits).padStart(width);
}
