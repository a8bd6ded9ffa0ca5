import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startMcpHarness } from "./scale/mcp-calls.ts";

/*
 * `pnpm inspector:mcp`: the command line of MCP's Inspector, fetched by npx, against generated servers: list, call, a paused run answered,
 * an error, cancel. It tells of no progress and cannot be asked. Ends with 1 when an answer is not as it should be.
 */
const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const run = promisify(execFile);
const harness = await startMcpHarness();
let failed = 0;

async function inspect(slug: string, method: string, tool?: string, given: Record<string, unknown> = {}) {
  const { url, key } = harness.target(slug);
  const of = tool === undefined ? [] : ["--tool-name", tool];
  const fields = Object.entries(given).flatMap(([name, value]) => ["--tool-arg", `${name}=${String(value)}`]);
  const where = ["-y", INSPECTOR, "--cli", url, "--transport", "http", "--header", `Authorization: Bearer ${key}`];
  const text = await run("npx", [...where, "--method", method, ...of, ...fields]).then(
    ({ stdout }) => stdout,
    // It ends with an error where a tool does.
    (error: { stdout?: string; message: string }) => error.stdout ?? error.message,
  );
  // biome-ignore lint/suspicious/noExplicitAny: looked into below
  return JSON.parse(text.slice(text.indexOf("{"))) as any; // cast: what the Inspector prints
}

function check(what: string, held: boolean, seen: unknown): void {
  if (!held) failed++;
  process.stdout.write(
    `${held ? "passed" : "FAILED"} ${what}${held ? "" : `: ${JSON.stringify(seen).slice(0, 300)}`}\n`,
  );
}

try {
  const { tools } = await inspect("asking", "tools/list");
  check("list", tools[0].name === "asking", tools);
  const done = await inspect("echo", "tools/call", "echo", { word: "bread" });
  check("call", done.structuredContent.output.word === "bread", done);
  const { structuredContent: paused } = await inspect("asking", "tools/call", "asking", { word: "bread" });
  check("a run that waits for a person", paused.status === "paused", paused);
  const { reviewId, digest } = paused.pending;
  const answered = await inspect("asking", "tools/call", "answer_review", { reviewId, digest, action: "approve" });
  check("its answer", answered.structuredContent.output.action === "approve", answered);
  const unknown = await inspect("asking", "tools/call", "get_run", { id: 999_999 });
  check("an error", unknown.isError === true && JSON.stringify(unknown).includes("NOT_FOUND"), unknown);
  const { structuredContent: other } = await inspect("asking", "tools/call", "asking", { word: "bread" });
  const cancelled = await inspect("asking", "tools/call", "cancel_run", { id: other.run.id });
  check("cancel", cancelled.structuredContent.status === "cancelled", cancelled);
} finally {
  await harness.stop();
}
process.exitCode = failed === 0 ? 0 : 1;
