import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type JsonObject, parseJson } from "@oven/contract";
import type { Rehearsal, RehearsedRun } from "@oven/contract/run";
import { decodeText } from "@oven/contract/text";
import { apiOf, type InstallationApi, openApi } from "./installation-api.ts";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = {
  file: { type: "string" },
  plain: { type: "boolean", default: false },
  limit: { type: "string", default: "200" },
  status: { type: "string", default: "all" },
  dataset: { type: "string" },
  live: { type: "string" },
  url: { type: "string" },
  key: { type: "string" },
  json: { type: "boolean", default: false },
  "fail-under": { type: "string", default: "1" },
} as const;
/** Runs of one request. */
const PAGE = 50;
const STATUSES = ["all", "completed", "failed"] as const;
type Status = (typeof STATUSES)[number];

export interface AskedRehearsal {
  /** `agent-workflows` or `workflows`. */
  resource: string;
  workflow: string;
  /** What is tried; undefined: the draft. */
  definition: JsonObject | undefined;
  /** Most runs, the newest first. */
  limit: number;
  status: Status;
  /** An eval dataset: only runs that were given what one of its cases gives. Undefined: all. */
  dataset: string | undefined;
  /** What may be spent on asking models where no answer was recorded, in 10⁻⁶ USD; 0: none is asked. */
  liveMicros: number;
  /** The share of runs, from 0 to 1, that must come out the same. */
  failUnder: number;
  json: boolean;
}

/** Goes through past runs on a changed definition, without calling anything. */
export const rehearseCommand: OvenCommand = {
  name: "rehearse",
  usage:
    "rehearse <workflow> [--plain] [--file definition.json] [--limit 200] [--status all|completed|failed] [--dataset slug] [--live dollars] [--url http://… --key …] [--json] [--fail-under 1]   (the draft without --file; --plain: a workflow without agents)",
  async run(args, write) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [workflow, ...others] = positionals;
    if (workflow === undefined || others.length > 0) throw new Error(`usage: pnpm oven ${rehearseCommand.usage}`);
    const { file, plain, url, json } = values;
    const asked: AskedRehearsal = {
      resource: plain ? "workflows" : "agent-workflows",
      workflow,
      definition: file === undefined ? undefined : readDefinition(file),
      limit: toNumber("limit", values.limit),
      status: toStatus(values.status),
      dataset: values.dataset,
      liveMicros: values.live === undefined ? 0 : Math.round(toNumber("live", values.live) * 1_000_000),
      failUnder: toNumber("fail-under", values["fail-under"]),
      json,
    };
    const api =
      url === undefined ? await openApi(process.env) : apiOf(url, values.key ?? process.env.OVEN_API_KEY ?? "");
    try {
      return await rehearse(api, asked, write);
    } finally {
      await api.close();
    }
  },
};

/** @returns 1 when a smaller share than asked for comes out the same. Runs without a recording do not count. */
export async function rehearse(
  api: InstallationApi,
  { resource, workflow, definition, limit, status, dataset, liveMicros, failUnder, json }: AskedRehearsal,
  write: (text: string) => void,
): Promise<number> {
  const path = `${resource}/${encodeURIComponent(workflow)}/rehearse`;
  const runs: RehearsedRun[] = [];
  const skipped: Rehearsal["skipped"] = [];
  let left = liveMicros;
  let rest: Pick<Rehearsal, "recordings" | "casesWithoutRun"> | undefined;
  for (let before: number | undefined; runs.length + skipped.length < limit; ) {
    const asked = { status, limit: Math.min(PAGE, limit - runs.length - skipped.length) };
    const which = { ...(dataset !== undefined && { dataset }), ...(before !== undefined && { before }) };
    const live = left > 0 ? { live: { maxCostMicros: left } } : {};
    const body = { ...asked, ...which, ...live, ...(definition && { definition }) };
    const answer = (await api.call("POST", path, body)) as Rehearsal; // cast: as the route declares
    runs.push(...answer.runs);
    skipped.push(...answer.skipped);
    left -= answer.live?.costMicros ?? 0;
    rest = { recordings: answer.recordings, casesWithoutRun: answer.casesWithoutRun };
    if (answer.next === null) break;
    before = answer.next;
  }
  write(
    json
      ? `${JSON.stringify({ runs, skipped, ...rest, liveCostMicros: liveMicros - left }, null, 2)}\n`
      : toText(workflow, runs, skipped.length, rest),
  );
  const same = runs.filter(({ verdict }) => verdict === "same").length;
  return runs.length === 0 || same / runs.length >= failUnder ? 0 : 1;
}

function toText(
  workflow: string,
  runs: readonly RehearsedRun[],
  skipped: number,
  more: Pick<Rehearsal, "recordings" | "casesWithoutRun"> | undefined,
): string {
  const counts = Map.groupBy(runs, ({ verdict }) => verdict);
  const sum = [...counts].map(([verdict, { length }]) => `${length} ${verdict}`).join(", ");
  const different = runs
    .filter(({ verdict }) => verdict !== "same")
    .map((run) => `  ${run.executionId}: ${toLine(run)}`);
  const rest = skipped === 0 ? "" : `, ${skipped} without a recording`;
  const { since = null, removed = 0 } = more?.recordings ?? {};
  const gone =
    removed === 0 ? [] : [`  recordings of ${removed} runs were removed; the oldest is of ${since ?? "none"}`];
  const missing = more?.casesWithoutRun ?? 0;
  const cases = missing === 0 ? [] : [`  no run was given what ${missing} cases of the dataset give`];
  const first = `${workflow}: ${runs.length} past runs: ${sum || "none"}${rest}`;
  return [first, ...different, ...gone, ...cases, toSpending(runs)].join("\n");
}

/** What the runs that are known would need more or less; empty: the same. Ends with a line break. */
function toSpending(runs: readonly RehearsedRun[]): string {
  const sum = (of: (run: RehearsedRun) => number) => runs.reduce((all, run) => all + of(run), 0);
  const [cost, tokens, ms] = [sum((r) => r.costMicros), sum((r) => r.tokens), sum((r) => r.durationMs)];
  if (cost === 0 && tokens === 0 && Math.abs(ms) < 1_000) return "";
  const signed = (value: number, text: string) => `${value < 0 ? "-" : "+"}${text}`;
  const money = signed(cost, `$${(Math.abs(cost) / 1e6).toFixed(6)}`);
  return `  together ${money}, ${signed(tokens, `${Math.abs(tokens)}`)} tokens, ${signed(ms, `${Math.abs(ms)}`)} ms\n`;
}

function toLine({ verdict, unknown, end, calls, steps }: RehearsedRun): string {
  const nameOf = (its: NonNullable<RehearsedRun["end"]>["was"]) => its?.outcome ?? its?.error ?? its?.status ?? "open";
  if (unknown !== null) return `not known (${unknown.reason}${unknown.nodeId === null ? "" : ` at ${unknown.nodeId}`})`;
  if (end !== null) return `ended as ${nameOf(end.was)}, would end as ${nameOf(end.is)}`;
  if (verdict === "calls") {
    const [added, missing] = [calls.added, calls.missing].map((list) => list.map(({ nodeId }) => nodeId).join(", "));
    return `other calls (more: ${added || "none"}; fewer: ${missing || "none"})`;
  }
  return `other steps (more: ${steps.added.join(", ") || "none"}; fewer: ${steps.missing.join(", ") || "none"})`;
}

function readDefinition(file: string): JsonObject {
  const read = parseJson(decodeText(readFileSync(file), { what: file }).text, { what: file });
  if (typeof read !== "object" || read === null || Array.isArray(read)) throw new Error(`${file} holds no definition`);
  return read;
}

function toNumber(name: string, text: string): number {
  if (text.trim() === "" || !Number.isFinite(Number(text))) throw new Error(`--${name}: ${text} is not a number`);
  return Number(text);
}

function toStatus(text: string): Status {
  const status = STATUSES.find((one) => one === text);
  if (status === undefined) throw new Error(`--status: use one of ${STATUSES.join(", ")}`);
  return status;
}
