import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CORPUS_CASES } from "../../packages/engine/src/testing/corpus/corpus-cases.ts";
import { recordCorpus } from "../../packages/engine/src/testing/corpus/corpus-file.ts";

/*
 * `pnpm corpus v2`: stores runs that wait, as this release writes them, for every later release to take up. A version that is
 * there is never written again: what it holds was stored by a release that people have.
 */
const version = process.argv[2] ?? "";
const folder = join(import.meta.dirname, "../../packages/engine/src/testing/corpus", version);
if (!/^v\d+$/.test(version)) {
  console.error("Usage: pnpm corpus v2");
  process.exit(2);
}
if (existsSync(folder)) {
  console.error(`${version} is there already and stays as it is; choose the next number.`);
  process.exit(1);
}
const files = await Promise.all(
  Object.entries(CORPUS_CASES).map(async ([name, given]) => [name, await recordCorpus(given)] as const),
);
mkdirSync(folder);
for (const [name, file] of files) writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(file, null, 1)}\n`);
process.stdout.write(`${files.length} runs stored in ${folder}\n`);
