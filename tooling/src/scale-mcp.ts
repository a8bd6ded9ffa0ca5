import { startPostgres } from "../postgres/start-postgres.ts";
import { callInterleaved, pauseOverRestart, startMcpHarness } from "./scale/mcp-calls.ts";
import { compareWithEcho } from "./scale/mcp-latency.ts";
import { openStreams } from "./scale/mcp-streams.ts";

/*
 * `pnpm scale:mcp [--latency-calls 2000] [--calls 10000] [--paused 200] [--streams 1000] [--db pglite|postgres]`: what MCP clients ask of the server when they are
 * many. Prints each value beside its limit, and ends with 1 on a miss.
 */
const option = (name: string, otherwise: number): number => {
  const position = process.argv.indexOf(`--${name}`);
  return position === -1 ? otherwise : Number(process.argv[position + 1]);
};
const MEBIBYTE = 1_048_576;
/** How much more memory the last round may leave than the first, in MiB. */
const GROWTH = { heap: 10, resident: 30 };
const postgres = process.argv.includes("pglite") ? undefined : await startPostgres();
const harness = await startMcpHarness(postgres?.url);
let missed = 0;
function report(what: string, value: string, limit: string, held: boolean, problems: readonly string[] = []): void {
  if (!held) missed++;
  process.stdout.write(`${held ? "held  " : "MISSED"} ${what}: ${value} (limit ${limit})\n`);
  for (const problem of problems.slice(0, 5)) process.stdout.write(`  ${problem}\n`);
}
try {
  const latency = await compareWithEcho(harness, option("latency-calls", 2_000));
  const { echoMs, workflowMs, keptMs, clientEchoMs, clientWorkflowMs, restMs } = latency;
  const times = workflowMs / echoMs;
  report(
    "a call of a workflow of one node, beside the SDK's bare echo",
    `${workflowMs.toFixed(2)} ms, ${times.toFixed(1)} times its ${echoMs.toFixed(2)} ms`,
    "2 times",
    times <= 2,
  );
  const kept = keptMs === undefined ? "" : `an echo that writes one row ${keptMs.toFixed(2)} ms; `;
  const withClient = `${clientWorkflowMs.toFixed(2)} and ${clientEchoMs.toFixed(2)} ms`;
  process.stdout.write(
    `       beside that: ${kept}with the SDK's client ${withClient}; the same run over REST ${restMs.toFixed(2)} ms\n`,
  );
  const calls = option("calls", 10_000);
  const crossed = await callInterleaved(harness, calls);
  report(
    `${calls} calls of two clients with equal ids`,
    `${crossed.length} crossed`,
    "0",
    crossed.length === 0,
    crossed,
  );
  const paused = option("paused", 200);
  const lost = await pauseOverRestart(harness, paused);
  report(`${paused} paused calls over a restart`, `${lost.length} lost`, "0", lost.length === 0, lost);
  const streams = option("streams", 1_000);
  const rounds = await openStreams(harness, streams, 6);
  const cut = rounds.reduce((sum, round) => sum + round.cut, 0);
  report(`${streams} open streams, six times`, `${cut} ended by the server`, "0", cut === 0);
  for (const [what, limit] of Object.entries(GROWTH)) {
    const sizes = rounds.map((round) => round[what as keyof typeof GROWTH] / MEBIBYTE); // cast: its keys are of both
    const grown = (sizes.at(-1) ?? Number.NaN) - (sizes[0] ?? Number.NaN);
    const said = `${grown.toFixed(0)} MiB more (${sizes.map((size) => size.toFixed(0)).join(", ")})`;
    report(
      `${what} memory after they are closed, the sixth time beside the first`,
      said,
      `${limit} MiB`,
      grown <= limit,
    );
  }
} finally {
  await harness.stop();
  await postgres?.stop();
}
process.exitCode = missed === 0 ? 0 : 1;
