// SPDX-License-Identifier: GPL-2.0
// Rules for the page's script, which is looked at as the one file that it becomes.
const browser = ["addEventListener", "Blob", "clearTimeout", "CompressionStream",
	"DecompressionStream", "document", "getComputedStyle", "history", "innerHeight",
	"location", "matchMedia", "MessageChannel", "performance", "requestAnimationFrame",
	"ResizeObserver", "Response", "setTimeout", "structuredClone", "TextDecoder",
	"TextEncoder", "URL", "URLSearchParams", "window"];

export default [{
	languageOptions: {
		ecmaVersion: 2022, sourceType: "script",
		globals: Object.fromEntries(browser.map((name) => [name, "readonly"])),
	},
	rules: {
		"no-undef": "error", "no-unused-vars": "error", "no-redeclare": "error",
		"no-shadow": "error", "no-const-assign": "error", "no-dupe-keys": "error",
		"no-unreachable": "error", "no-fallthrough": "error", "no-implicit-globals": "off",
		"no-eval": "error", "no-implied-eval": "error", "no-new-func": "error",
		"prefer-const": "error", "no-var": "error", eqeqeq: "error",
		"max-len": ["error", { code: 100, tabWidth: 8, ignoreStrings: false }],
		"max-lines-per-function": ["error", 60], complexity: ["error", 20],
		"no-restricted-properties": ["error", { property: "innerHTML" },
			{ property: "outerHTML", object: "element" },
			{ property: "insertAdjacentHTML" },
			{ object: "document", property: "write" }],
		quotes: ["error", "double", { avoidEscape: true, allowTemplateLiterals: true }],
		semi: "error", indent: "off", "no-tabs": "off",
	},
}];
