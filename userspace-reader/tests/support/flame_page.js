// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the script of a flame graph on a page that is not shown.
 *
 *	node flame_page.js FILE.svg zoom|search TEXT
 *
 * Clicks on the frame whose name is TEXT, or searches for TEXT, and prints the frames that are to
 * be seen: x, width, what is written, and "below" or "found". With search, also what is said.
 */
'use strict';
const fs = require('fs'), vm = require('vm');

const text = fs.readFileSync(process.argv[2], 'utf8');
const plain = quoted => quoted.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"')
	.replace(/&#39;/g, "'").replace(/&amp;/g, '&');

function element(attributes, content) {
	const classes = new Set(), listeners = {};

	return {
		textContent: content, listeners, classes,
		classList: {
			toggle: (name, on) => on ? classes.add(name) : classes.delete(name),
			remove: (...names) => names.forEach(name => classes.delete(name)),
		},
		getAttribute: name => attributes[name],
		setAttribute: (name, value) => { attributes[name] = value; },
		addEventListener: (name, call) => { listeners[name] = call; },
	};
}

const groups = [];
for (const found of text.matchAll(/<g class="f"><title>(.*)<\/title><rect x="(.*?)" y="(.*?)" width="(.*?)" .*\/><text .*>(.*)<\/text><\/g>/g)) {
	const parts = {
		title: element({}, plain(found[1])),
		rect: element({x: found[2], y: found[3], width: found[4]}),
		text: element({}, plain(found[5])),
	};
	groups.push(Object.assign(element({}), {querySelector: name => parts[name], parts}));
}
const ids = {}, keys = {};
for (const found of text.matchAll(/ id="(\w+)"/g))
	ids[found[1]] = element({}, '');
const world = {
	document: {getElementById: id => ids[id], querySelectorAll: () => groups},
	addEventListener: (name, call) => { keys[name] = call; },
	prompt: () => process.argv[4],
};
world.window = world;
vm.createContext(world);
vm.runInContext(/<!\[CDATA\[([^]*)\]\]>/.exec(text)[1], world);
if (process.argv[3] === 'zoom')
	groups.find(g => g.parts.title.textContent.startsWith(process.argv[4] + ' ('))
		.listeners.click();
else
	ids.search.listeners.click();
for (const g of groups)
	if (!g.classes.has('hidden'))
		console.log([Math.round(g.parts.rect.getAttribute('x')),
			     Math.round(g.parts.rect.getAttribute('width')),
			     g.parts.text.textContent, ...g.classes].join(' '));
if (process.argv[3] === 'search')
	console.log(ids.matched.textContent);
