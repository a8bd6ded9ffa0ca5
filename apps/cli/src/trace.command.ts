import { parseArgs } from "node:util";
import { type ChainTrace, ChainTraceSchema } from "@oven/contract/formats/chains.ts";
import { apiOf } from "./installation-api.ts";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = {
  url: { type: "string" },
  key: { type: "string" },
  json: { type: "boolean", default: false },
} as const;
const SHOWN = 160;

/** What each executor of a chain's run did. Runs are their owner's, so it takes a key of theirs. */
export const traceCommand: OvenCommand = {
  name: "trace",
  usage: "trace <run id> --url http://… [--key …] [--json]   (the key is better given as OVEN_API_KEY)",
  async run(args, write) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [run, ...others] = positionals;
    if (run === undefined || others.length > 0 || values.url === undefined)
      throw new Error(`usage: pnpm oven ${traceCommand.usage}`);
    const api = apiOf(values.url, values.key ?? process.env.OVEN_API_KEY ?? "");
    const trace = ChainTraceSchema.parse(await api.call("GET", `executor-chain-runs/${encodeURIComponent(run)}/trace`));
    write(values.json ? `${JSON.stringify(trace, null, 2)}\n` : toText(trace));
    return trace.status === "failed" || trace.status === "partial_success" ? 1 : 0;
  },
};

/** A run as lines of text: its executors, and below each its calls of tools. */
export function toText(trace: ChainTrace): string {
  const lines = [
    `${trace.run_id}  ${trace.status}  ${trace.started_at ?? "not started"} – ${trace.completed_at ?? "…"}`,
  ];
  for (const warning of trace.warnings) lines.push(`! ${warning}`);
  for (const executor of trace.executor_runs) {
    const { prompt, completion } = executor.tokens;
    lines.push(
      "",
      `${executor.executor_id}  ${executor.status}  ${executor.duration_ms} ms  ${executor.model}  ${prompt} + ${completion} tokens`,
    );
    for (const call of executor.tool_calls)
      lines.push(
        `  ${call.tool}  ${call.status}  ${call.duration_ms} ms  ${short(call.input)} → ${call.error_message ?? short(call.output)}`,
      );
    if (executor.iterations.length > 0)
      lines.push(`  ${executor.iterations.length} iterations${executor.exhausted ? ", ended by the limit" : ""}`);
    if (executor.status === "success") lines.push(`  = ${short(executor.structured_output)}`);
    if (executor.error_message !== undefined) lines.push(`  ✗ ${executor.error_message}`);
  }
  return `${lines.join("\n")}\n`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`;
}
