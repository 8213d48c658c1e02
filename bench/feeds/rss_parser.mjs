// Milliseconds that npm rss-parser takes for one file: node rss_parser.mjs FILE ROUNDS
// Run it from a folder in which `npm install rss-parser` was done, or name that folder in RSS_PARSER.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire((process.env.RSS_PARSER ?? process.cwd()) + "/");
const Parser = require("rss-parser");
const [file, rounds] = [process.argv[2], Number(process.argv[3])];
const text = readFileSync(file, "utf8");
const parser = new Parser();
for (let i = 0; i < 20; i++) await parser.parseString(text);
const begin = process.hrtime.bigint();
let entries = 0;
for (let i = 0; i < rounds; i++) entries += (await parser.parseString(text)).items.length;
const each = Number(process.hrtime.bigint() - begin) / 1e6 / rounds;
console.log(`${each.toFixed(3)} ms each, ${text.length} characters, ${entries / rounds} entries`);
