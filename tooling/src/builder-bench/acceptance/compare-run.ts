import type { Json, JsonObject } from "../../../../packages/contract/src/index.ts";
import type { CaseExpectation, ExpectedCall } from "../task.ts";
import { hasPart, pairUp } from "./compare-json.ts";
import type { OutsideCall } from "./outside-services.ts";

/** What became of a case, as people and services saw it. */
export interface SeenRun {
  status: string;
  outcome: string | null;
  error: string | null;
  output: Json;
  calls: readonly OutsideCall[];
  /** What each review showed. */
  reviews: readonly JsonObject[];
  rows: Record<string, JsonObject[]>;
  waitsHours: number | null;
}

/** What differs from what was expected; empty: it passed. */
export function compareRun(seen: SeenRun, expect: CaseExpectation): string[] {
  const status = expect.status ?? "completed";
  const reasons: string[] = [];
  if (seen.status !== status) reasons.push(`it is ${seen.status}${seen.error === null ? "" : ` (${seen.error})`}`);
  if (expect.outcome !== undefined && seen.outcome !== expect.outcome)
    reasons.push(`the outcome is ${seen.outcome ?? "none"} instead of ${expect.outcome}`);
  if (expect.output !== undefined && !hasPart(seen.output, expect.output))
    reasons.push(`the output is ${short(seen.output)} instead of ${short(expect.output)}`);
  if (expect.calls !== undefined) {
    const { missing, left } = pairUp(seen.calls, expect.calls, isCall);
    for (const { to } of missing) reasons.push(`no call is as expected of ${to}`);
    for (const { to, body } of left) reasons.push(`a call is not expected: ${to} ${short(body)}`);
  }
  if (expect.asked !== undefined && seen.reviews.length !== expect.asked)
    reasons.push(`people were asked ${seen.reviews.length} times instead of ${expect.asked}`);
  for (const text of expect.shown ?? [])
    if (!seen.reviews.some((review) => JSON.stringify(review).includes(text)))
      reasons.push(`no reviewer was shown ${text}`);
  for (const [table, rows] of Object.entries(expect.rows ?? {})) {
    const { missing, left } = pairUp(seen.rows[table] ?? [], rows, hasPart);
    for (const row of missing) reasons.push(`${table} has no row ${short(row)}`);
    for (const row of left) reasons.push(`${table} has a row that is not expected: ${short(row)}`);
  }
  if (expect.waitsHours !== undefined && !isNear(seen.waitsHours, expect.waitsHours))
    reasons.push(`it waits ${seen.waitsHours ?? "no"} hours instead of ${expect.waitsHours}`);
  return reasons;
}

function isCall(call: OutsideCall, { to, body, headers = {}, says = [] }: ExpectedCall): boolean {
  const text = JSON.stringify(call.body);
  return (
    call.to === to &&
    (body === undefined || hasPart(call.body, body)) &&
    Object.entries(headers).every(([name, value]) => call.headers[name] === value) &&
    says.every((part) => text.includes(part))
  );
}

function isNear(hours: number | null, expected: number): boolean {
  return hours !== null && Math.abs(hours - expected) < expected * 0.02;
}

function short(value: Json): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
