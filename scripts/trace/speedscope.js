// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a file with speedscope's own importer.
 *
 *	NODE_PATH=... node speedscope.js FILE
 *
 * Prints the profile's name, its unit and its whole weight, and then the weight of each frame
 * itself. The importer is in speedscope's page alone, so that is run without a browser: what it
 * asks of one is answered by an object that is anything.
 */
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm');

const dir = path.join(path.dirname(require.resolve('speedscope/package.json')), 'dist/release');
const page = fs.readdirSync(dir).find(name => /^speedscope-.*\.js$/.test(name));
const source = fs.readFileSync(path.join(dir, page), 'utf8');
const importer = /loadFileFromBase64:\(\w+,\w+\)=>\{this\.loadProfile\(\(\)=>(\w+)\(/.exec(source)[1];

const anything = new Proxy(function () {}, {
	get: (of, key) => key === Symbol.toPrimitive ? () => '' :
		key === Symbol.iterator ? [][Symbol.iterator] :
		key === 'then' ? undefined : anything,
	set: () => true, has: () => true, apply: () => anything, construct: () => anything,
});
const world = {
	performance, TextDecoder, TextEncoder, atob, setTimeout, URL,
	console: {log() {}, warn() {}, error: console.error},
	requestAnimationFrame() {}, addEventListener() {},
};
for (const name of ['window', 'document', 'navigator', 'location', 'localStorage', 'HTMLElement',
		    'FileReader', 'Image', 'matchMedia'])
	world[name] = anything;
world.self = world;
vm.createContext(world);
try {
	vm.runInContext(source.replace('(()=>{', `(()=>{globalThis.read=${importer};`), world);
} catch (error) {
	/* the page itself cannot be shown */
}

const file = process.argv[2];
world.read(path.basename(file), fs.readFileSync(file).toString('base64')).then(group => {
	const profile = group.profiles[0];

	console.log(`${profile.getName()} ${profile.getWeightUnit()} ${profile.getTotalWeight()}`);
	profile.forEachFrame(frame => console.log(`${frame.getSelfWeight()} ${frame.name}`));
});
