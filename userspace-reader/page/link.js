// SPDX-License-Identifier: GPL-2.0
// The link of a view: what is looked at, behind "#" in the address, and back.

const rememberSoon = onceAFrame(() => {
	const hash = linkOf();

	// the address is there for people to copy; each change is no step of "back"
	if (location.hash !== hash)
		history.replaceState(null, "", hash);
});

function linkOf() {
	const round = (time) => Math.round(time * 10) / 10;
	const parts = [`t=${round(view.from)},${round(view.to)}`];
	const add = (name, value) => value && parts.push(`${name}=${encodeURIComponent(value)}`);

	if (view.selected)
		add("s", `${round(view.selected.from)},${round(view.selected.to)}`);
	add("tasks", [...view.tasks].map((number) =>
		`${trace.tasks[number].machine.number}.${trace.tasks[number].pid}`).join(","));
	add("closed", [...view.closed].join(","));
	add("tab", view.tab);
	add("wall", view.wall ? "1" : "");
	for (const name of ["task", "event", "cpu", "text"])
		add(`f-${name}`, filters[name]);
	return `#${parts.join("&")}`;
}

// Returns whether the address has told of a view.
function restoreLink() {
	const wanted = new URLSearchParams(location.hash.slice(1));
	const times = (name) => (wanted.get(name) || "").split(",").map(Number);
	const [from, to] = times("t");

	if (!wanted.get("t") || !(to > from))
		return false;
	for (const name of ["task", "event", "cpu", "text"])
		filters[name] = wanted.get(`f-${name}`) || "";
	view.closed = new Set((wanted.get("closed") || "").split(",").filter(Boolean));
	view.tasks = new Set();
	for (const one of (wanted.get("tasks") || "").split(",").filter(Boolean)) {
		const [number, pid] = one.split(".").map(Number);
		const task = trace.machines[number]?.numbers.get(pid);

		if (task !== undefined)
			view.tasks.add(task);
	}
	view.wall = wanted.get("wall") === "1" && trace.wall !== null;
	if (tabs.some(([name]) => name === wanted.get("tab")))
		view.tab = wanted.get("tab");
	show(from, to);
	const [first, second] = times("s");

	if (second >= first)
		select(first, second);
	return true;
}
