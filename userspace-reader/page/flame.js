// SPDX-License-Identifier: GPL-2.0
// A flame of the stacks in a time: how often each function was in one, below those that it called.

const mostFlames = 2000;

function isStack({ system, name }) {
	return system === "ftrace" && (name === "kernel_stack" || name === "user_stack");
}

// The functions of a stack's text, the outermost first: a line each, " => name"
function framesOf(text) {
	return text.split("\n").map((line) => line.replace(/^\s*=> /, "")).filter(Boolean)
		.reverse();
}

async function showFlame(where, { from, to }, stillAsked) {
	const root = { name: "all", count: 0, inner: new Map() };

	for (const machine of trace.machines)
		await machine.eachPiece(from, to, async (piece) => {
			await loadFields(piece);
			addStacks(root, piece, from, to);
			return stillAsked();
		});
	if (!stillAsked())
		return;
	const flame = element("div", { id: "flame" });
	let left = mostFlames;

	function draw(node, x, width, depth) {
		if (width < 0.1 || left-- <= 0)
			return depth;
		const box = element("button", { title: `${node.name}: ${node.count}`,
			class: "frame" }, node.name);
		let deepest = depth, at = x;

		box.style.left = `${x}%`;
		box.style.width = `${width}%`;
		box.style.top = `${depth * 19}px`;
		box.style.background = depth ? taskColour(node.name) : "var(--idle)";
		box.style.color = depth ? taskInks.get(node.name) : "var(--ink)";
		flame.append(box);
		for (const inner of [...node.inner.values()].sort((a, b) => b.count - a.count)) {
			const part = width * inner.count / node.count;

			deepest = Math.max(deepest, draw(inner, at, part, depth + 1));
			at += part;
		}
		return deepest;
	}
	flame.style.height = `${(draw(root, 0, 100, 0) + 1) * 19}px`;
	fill(where, element("p", {}, `${grouped(root.count)} stacks`), flame);
}

function addStacks(root, piece, from, to) {
	const { kinds } = piece.machine.index;
	const end = firstAbove(piece.time, to);

	for (let i = firstAbove(piece.time, from - 0.5); i < end; i++) {
		if (piece.kind[i] < 2 || !isStack(kinds[piece.kind[i] - 2]))
			continue;
		let node = root;

		root.count++;
		for (const name of framesOf(textOf(piece, i))) {
			if (!node.inner.has(name))
				node.inner.set(name, { name, count: 0, inner: new Map() });
			node = node.inner.get(name);
			node.count++;
		}
	}
}
