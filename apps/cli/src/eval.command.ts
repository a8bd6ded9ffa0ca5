import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parseJson } from "@oven/contract";
import {
  type EvalDataset,
  EvalDatasetFileSchema,
  type EvalMode,
  EvalModeSchema,
  type EvalResult,
  type EvalRun,
} from "@oven/contract/eval";
import { decodeText } from "@oven/contract/text";
import { apiOf, type InstallationApi, openApi } from "./installation-api.ts";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = {
  target: { type: "string" },
  version: { type: "string" },
  mode: { type: "string", default: "live" },
  recording: { type: "string" },
  concurrency: { type: "string" },
  url: { type: "string" },
  key: { type: "string" },
  json: { type: "boolean", default: false },
  "fail-under": { type: "string", default: "1" },
} as const;

interface Asked {
  dataset: string;
  start: { mode: EvalMode; target?: string; version?: number; recording?: string; concurrency?: number };
  failUnder: number;
  json: boolean;
}

const POLL_MS = 250;
const PAGE = 200;

export const evalCommand: OvenCommand = {
  name: "eval",
  usage:
    "eval <dataset.json | slug> [--target slug] [--version N] [--mode live|record|replay] [--recording name] [--concurrency N] [--url http://… --key …] [--json] [--fail-under 1]",
  async run(args, write) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [dataset, ...others] = positionals;
    if (dataset === undefined || others.length > 0) throw new Error(`usage: pnpm oven ${evalCommand.usage}`);
    const asked = toAsked(dataset, values);
    const api =
      values.url === undefined
        ? await openApi(process.env)
        : apiOf(values.url, values.key ?? process.env.OVEN_API_KEY ?? "");
    try {
      return await evaluate(api, asked, write);
    } finally {
      await api.close();
    }
  },
};

/** Takes a file in, runs it, and waits for the end. @returns 1 when fewer cases passed than asked for */
export async function evaluate(api: InstallationApi, asked: Asked, write: (text: string) => void): Promise<number> {
  const slug = await takeIn(api, asked.dataset);
  let run = (await api.call("POST", `eval-datasets/${encodeURIComponent(slug)}/run`, asked.start)) as EvalRun; // cast: as the route declares
  while (run.status === "queued" || run.status === "running") {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    run = (await api.call("GET", `eval-runs/${run.id}`)) as EvalRun; // cast: as above
  }
  const results = await allResults(api, run);
  write(asked.json ? `${JSON.stringify({ run, results }, null, 2)}\n` : toTable(slug, run, results));
  return run.status === "completed" && (run.passRate ?? 0) >= asked.failUnder ? 0 : 1;
}

async function takeIn(api: InstallationApi, dataset: string): Promise<string> {
  if (!dataset.endsWith(".json")) return dataset;
  const file = EvalDatasetFileSchema.parse(
    parseJson(decodeText(readFileSync(dataset), { what: dataset }).text, { what: dataset }),
  );
  // cast: as the route declares
  return ((await api.call("POST", "eval-datasets/import", file)) as EvalDataset).slug;
}

async function allResults(api: InstallationApi, { id, cases }: EvalRun): Promise<EvalResult[]> {
  const results: EvalResult[] = [];
  const sort = encodeURIComponent('["position","ASC"]');
  while (results.length < cases) {
    const range = `[${results.length},${results.length + PAGE - 1}]`;
    const page = (await api.call("GET", `eval-runs/${id}/results?sort=${sort}&range=${range}`)) as EvalResult[]; // cast: as above
    if (page.length === 0) break;
    results.push(...page);
  }
  return results;
}

export function toTable(slug: string, run: EvalRun, results: readonly EvalResult[]): string {
  const rows = results.map(({ caseName, status, score, tokens, costMicros, durationMs }) => [
    status,
    caseName,
    score === null ? "-" : score.toFixed(2),
    String(tokens),
    toDollars(costMicros),
    durationMs === null ? "-" : `${durationMs} ms`,
  ]);
  const lines = align([["result", "case", "score", "tokens", "cost", "took"], ...rows]);
  const reasons = results.flatMap(({ caseName, checks, error }) => [
    ...(error === null ? [] : [`${caseName}: ${error.code}: ${error.message}`]),
    ...checks
      .filter(({ passed }) => !passed)
      .map(({ expectation, reason }) => `${caseName}: ${expectation.type}: ${reason}`),
  ]);
  const { target, passed, cases, tokens, costMicros, mode, status } = run;
  const sum = `${passed} of ${cases} passed, ${tokens} tokens, ${toDollars(costMicros)} (evaluation ${run.id}, ${mode}, ${status})`;
  return [
    `${slug}: ${target.kind} ${target.id}, version ${target.version}`,
    ...["", ...lines, ""],
    ...(reasons.length === 0 ? [] : [...reasons, ""]),
    `${sum}\n`,
  ].join("\n");
}

function align(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function toDollars(micros: number): string {
  return `$${(micros / 1_000_000).toFixed(4)}`;
}

function toAsked(dataset: string, values: Record<string, string | boolean | undefined>): Asked {
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  const number = (name: string) => {
    const given = text(name);
    if (given === undefined) return undefined;
    if (given.trim() === "" || !Number.isFinite(Number(given))) throw new Error(`--${name}: ${given} is not a number`);
    return Number(given);
  };
  const mode = EvalModeSchema.safeParse(values.mode);
  if (!mode.success) throw new Error(`--mode: use one of ${EvalModeSchema.options.join(", ")}`);
  const [version, concurrency] = [number("version"), number("concurrency")];
  const [target, recording] = [text("target"), text("recording")];
  return {
    dataset,
    start: {
      mode: mode.data,
      ...(target === undefined ? {} : { target }),
      ...(version === undefined ? {} : { version }),
      ...(recording === undefined ? {} : { recording }),
      ...(concurrency === undefined ? {} : { concurrency }),
    },
    failUnder: number("fail-under") ?? 1,
    json: values.json === true,
  };
}
