import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { readApiDocument } from "../../packages/api-documents/src/index.ts";
import { isOvenError } from "../../packages/contract/src/index.ts";
import { checkOperation } from "./api-corpus/check-operation.ts";
import { bundlePrograms } from "./release/bundle-programs.ts";

/*
 * `pnpm import:apis --dir DIR [--top N]`: reads all documents of APIs in a folder, or N of them evenly, with the built reader, checks each
 * operation's schemas by the engine and makes a request of a generated input. It prints how many can be used, and why others cannot.
 */
const root = join(import.meta.dirname, "../..");
const option = (name: string): string | undefined => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? undefined : process.argv[position + 1];
};
const dir = option("dir");
const top = Number(option("top") ?? Number.MAX_SAFE_INTEGER);
if (dir === undefined || !(top > 0)) {
  console.error("Usage: pnpm import:apis --dir DIR [--top N]");
  process.exit(2);
}

const folder = join(root, "node_modules/.cache/import-apis");
rmSync(folder, { recursive: true, force: true });
await bundlePrograms({ reader: join(root, "packages/api-documents/src/index.ts") }, folder);
// cast: what was bundled a moment ago
const { readApiDocument: read } = (await import(join(folder, "reader.mjs"))) as {
  readApiDocument: typeof readApiDocument;
};

const all = readdirSync(dir, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(?:json|ya?ml|graphqls?)$/.test(file) && statSync(join(dir, file)).isFile())
  .sort();
const files = all.filter(
  (_file, at) => Math.floor((at * top) / all.length) !== Math.floor(((at - 1) * top) / all.length),
);

const reasons = new Map<string, Set<string>>();
const count = (reason: string, file: string): void => {
  reasons.set(reason, (reasons.get(reason) ?? new Set()).add(file));
};
const times: number[] = [];
/** A document is slow that takes longer. */
const SLOW_MS = 2_000;
const slow: string[] = [];
const delay = monitorEventLoopDelay({ resolution: 1 });
let worst = { delayMs: 0, file: "" };
const totals = {
  documents: files.length,
  read: 0,
  refused: 0,
  crashed: 0,
  operations: 0,
  usable: 0,
  requested: 0,
  checked: 0,
};

for (const [at, file] of files.entries()) {
  const text = readFileSync(join(dir, file), "utf8");
  const startedAt = performance.now();
  delay.reset();
  delay.enable();
  try {
    const { operations, servers } = await read(text);
    delay.disable();
    if (delay.max / 1e6 > worst.delayMs) worst = { delayMs: delay.max / 1e6, file };
    const tookMs = performance.now() - startedAt;
    times.push(tookMs);
    if (tookMs > SLOW_MS) slow.push(`${file}, ${(text.length / 1e6).toFixed(1)} MB: ${tookMs.toFixed(0)} ms`);
    totals.read += 1;
    totals.operations += operations.length;
    if (operations.length === 0) count("document without operations", file);
    for (const operation of operations) {
      if (operation.problem !== null) {
        count(`operation: ${operation.problem}`, file);
        continue;
      }
      const { problems, isRequested } = checkOperation(operation, servers[0]?.url ?? "https://api.example.com");
      totals.checked += 1;
      if (problems.length === 0) totals.usable += 1;
      if (isRequested) totals.requested += 1;
      for (const problem of problems) count(`operation: ${problem}`, file);
    }
  } catch (error) {
    delay.disable();
    times.push(performance.now() - startedAt);
    if (isOvenError(error)) totals.refused += 1;
    else totals.crashed += 1;
    const message = error instanceof Error ? error.message : String(error);
    count(`${isOvenError(error) ? "document refused" : "CRASH"}: ${message.slice(0, 200)}`, file);
  }
  if ((at + 1) % 100 === 0) process.stderr.write(`${at + 1} of ${files.length}\n`);
}

times.sort((one, other) => one - other);
const quantile = (share: number): string =>
  (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0);
process.stdout.write(
  [
    "",
    `documents: ${totals.documents}, read ${totals.read} (${((100 * totals.read) / totals.documents).toFixed(1)} %), refused ${totals.refused}, crashed ${totals.crashed}`,
    `operations: ${totals.operations}, usable ${totals.usable} (${((100 * totals.usable) / totals.operations).toFixed(2)} %), a generated input fits and becomes a request ${totals.requested}`,
    `time of a document with its thread: p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, the longest ${quantile(1)} ms; event loop held up at most ${worst.delayMs.toFixed(0)} ms (${worst.file})`,
    `documents that take longer than ${SLOW_MS} ms: ${slow.length}`,
    ...slow.map((one) => `         ${one}`),
    ...[...reasons]
      .sort(([, one], [, other]) => other.size - one.size)
      .slice(0, 60)
      .map(
        ([reason, found]) =>
          `${String(found.size).padStart(6)} documents: ${reason} (${[...found].slice(0, 2).join(", ")})`,
      ),
    "",
  ].join("\n"),
);
