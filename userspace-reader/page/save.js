// SPDX-License-Identifier: GPL-2.0
// Saves a smaller page: this one, with the pieces of what is selected alone.

async function pack(text) {
	const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));

	return ascii85Of(new Uint8Array(await new Response(stream).arrayBuffer()));
}

// What the index of the smaller page has.
function cutIndex({ from, to }) {
	const index = structuredClone(trace.index);

	index.traces.forEach((one, number) => {
		const { pieces } = trace.machines[number];

		one.pieces = one.pieces.filter((row, i) => pieces[i].last >= from &&
			pieces[i].first <= to);
	});
	index.cut = { from, to };
	return index;
}

async function pageOf(time) {
	const index = cutIndex(time);
	const kept = new Set();

	index.traces.forEach(({ pieces, long }, number) => {
		const { suffix } = trace.machines[number];

		for (const [id] of pieces)
			for (const letter of "tes")
				kept.add(`${letter}${id}${suffix}`);
		for (let i = 0; i < long; i++)
			kept.add(`l${i}${suffix}`);
		kept.add(`z0${suffix}`);
	});
	const page = document.documentElement.cloneNode(true);

	for (const block of page.querySelectorAll("script[type='application/octet-stream']")) {
		if (block.id === "index0")
			block.textContent = await pack(JSON.stringify(index));
		else if (!kept.has(block.id))
			block.remove();
	}
	for (const id of ["name", "about", "tabs", "time", "content", "found", "help", "tip",
		"notice"])
		page.querySelector(`#${id}`).replaceChildren();
	for (const one of page.querySelectorAll("[style]"))
		one.removeAttribute("style");
	for (const id of ["found", "help", "tip", "notice"])
		page.querySelector(`#${id}`).hidden = true;
	page.className = "";
	delete page.dataset.ready;
	return `<!--tring page--><!DOCTYPE html>\n${page.outerHTML}\n`;
}

async function saveSelected() {
	const time = chosenTime();
	const link = element("a", { download: "trace-part.html" });

	link.href = URL.createObjectURL(new Blob([await pageOf(time)], { type: "text/html" }));
	link.click();
	URL.revokeObjectURL(link.href);
	tell("Saved: the events around what is selected, with what reaches into it.");
}
