// Verifies a sealed file without ToolReplay, from docs/format.md alone. Test-only.
//
//   node verify.mjs FILE           prints the verdict; exit 0 intact, 1 broken, 2 no sealed file
//   node verify.mjs --vectors DIR  checks every published vector; exit 0 when all agree
//   node verify.mjs --canonical    reads JSON texts, one a line, and prints the canonical JSON of each
//   node verify.mjs --verdicts     reads JSON strings, one a line, each a whole file, and prints the verdict on each

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { canonical } from "./canonical.mjs";
import { readScope, readTranscript, seal, verify } from "./files.mjs";
import { Refused, parse } from "./strict_json.mjs";

const bytes = (text) => Buffer.from(text, "utf8");
const jsonl = (text) => text.split("\n").filter(Boolean);
const shown = (value) => JSON.stringify(value, Object.keys(value).sort());

function verdict(file) {
  try {
    return verify(file);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { chain: "refused", line: error.line, reason: error.reason };
  }
}

const CHECKS = {
  "canonical.jsonl": ({ input, canonical: expected, sha256 }) =>
    canonical(parse(input)) === expected && createHash("sha256").update(bytes(expected)).digest("hex") === sha256,
  "refused.jsonl": ({ kind, input, input_hex, line, reason }) => {
    const read = { transcript: readTranscript, sealed: verify, scope: readScope }[kind];
    try {
      read(input_hex === undefined ? bytes(input) : Buffer.from(input_hex, "hex"));
    } catch (error) {
      return error instanceof Refused && error.reason === reason && (kind === "scope" || error.line === line);
    }
    return false;
  },
  "seal.jsonl": ({ transcript, sealed }) => seal(bytes(transcript)) === sealed,
  "verify.jsonl": ({ name, sealed, ...expected }) => shown(verdict(bytes(sealed))) === shown(expected),
};

function checkVectors(folder) {
  let failed = 0;
  for (const [file, agrees] of Object.entries(CHECKS)) {
    const cases = jsonl(readFileSync(join(folder, file), "utf8")).map((line) => JSON.parse(line));
    const wrong = cases.filter((one) => !agrees(one));
    for (const { name } of wrong) console.log(`${file}: disagrees: ${name}`);
    console.log(`${file}: ${cases.length - wrong.length} of ${cases.length} agree`);
    failed += wrong.length + (cases.length === 0 ? 1 : 0);
  }
  return failed === 0 ? 0 : 1;
}

function report({ chain, index, expected, found, line, reason }) {
  if (chain === "intact") return ["chain: intact"];
  if (chain === "refused") return [`refused: ${reason}${line === null ? "" : ` on line ${line}`}`];
  const bare = /^[0-9a-f]{64}$/.test(found);
  return ["chain: broken", `first broken link: index ${index}`, `expected: ${expected}`, `found: ${bare ? found : JSON.stringify(found)}`];
}

function main([mode, folder]) {
  const input = () => readFileSync(0, "utf8");
  if (mode === "--vectors") return checkVectors(folder);
  if (mode === "--canonical") {
    console.log(jsonl(input()).map((line) => canonical(parse(line))).join("\n"));
    return 0;
  }
  if (mode === "--verdicts") {
    console.log(jsonl(input()).map((line) => shown(verdict(bytes(JSON.parse(line))))).join("\n"));
    return 0;
  }
  const found = verdict(readFileSync(mode));
  console.log(report(found).join("\n"));
  return { intact: 0, broken: 1, refused: 2 }[found.chain];
}

process.exitCode = main(process.argv.slice(2));
