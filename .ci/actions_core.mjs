// Prints, as a JSON list, the annotations that @actions/core makes:  node actions_core.mjs NODE_MODULES <cases
// A case is {"level": "error", "message": "…", "properties": {"title": …, "file": …, "startLine": …}}.
import { readFileSync } from "node:fs";

const core = await import(`${process.argv[2]}/@actions/core/lib/core.js`);
const printed = [];
process.stdout.write = ((write) => {
  for (const { level, message, properties } of JSON.parse(readFileSync(0, "utf8"))) {
    let text = "";
    process.stdout.write = (piece) => (text += piece);
    core[level](message, properties);
    printed.push(text.replace(/\r?\n$/, ""));
  }
  return write;
})(process.stdout.write);
console.log(JSON.stringify(printed));
