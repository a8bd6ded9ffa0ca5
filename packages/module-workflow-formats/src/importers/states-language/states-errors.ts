import type { JsonObject } from "@oven/contract";
import type { Guard, Retry } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import type { Part, Way } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { checkedCel } from "./states-cel.ts";
import type { Mapping } from "./states-mapping.ts";
import { celOf } from "./states-paths.ts";

const TIMEOUTS = '["NODE_TIMEOUT", "OUTBOUND_TIMEOUT"]';
const STATUS = /^States\.Http\.StatusCode\.(\d{3})$/;
/** Names of errors that Step Functions itself gives; a Fail may give any other one. */
const RESERVED =
  /^States\.(?:HeartbeatTimeout|Permissions|ResultPathMatchFailure|ParameterPathFailure|BranchFailed|IntrinsicFailure|ExceedToleratedFailureThreshold|ItemReaderFailed|ResultWriterFailed|DataLimitExceeded|Runtime|QueryEvaluationError|Http\..*)$/;
const ANY = new Set(["States.ALL", "States.TaskFailed"]);

/** What catches a state's errors, in the order in which it is asked; undefined: they fail the run. @throws NoEquivalent */
export function caughtOf(mapping: Mapping): { onError: string[]; more: [string, Part][] } | undefined {
  const { state, key, id, take, data } = mapping;
  const catchers = objectsOf(state.spec.Catch);
  if (catchers.length === 0) return undefined;
  const error = { root: `$.${id}_error`, segments: [] };
  const value = { Error: { $cel: checkedCel(nameOf(celOf(error))) }, Cause: `${error.root}.message` };
  const ways = catchers.map((catcher): Way => {
    refuseFields(catcher, "ErrorEquals Next ResultPath Comment", "Catch");
    return {
      guard: guardOf(namesOf(catcher), error.root),
      targets: [state.keyOf(String(catcher.Next))],
      actions: data.results({ ResultPath: catcher.ResultPath ?? "$" }, value),
    };
  });
  const caught = partKey("caught", key);
  const part: Part = { id: take(`${state.name} caught`), label: `Error of ${state.name}`, ways };
  if (ways.some(({ guard }) => guard === undefined)) return { onError: [caught], more: [[caught, part]] };
  const uncaught = partKey("uncaught", key);
  const again = {
    ...{ message: `${error.root}.message`, code: `${error.root}.code` },
    details: `${error.root}.details | default({})`,
  };
  const rest: Part = {
    ...{ id: take(`${state.name} not caught`), label: `Other error of ${state.name}`, ways: [] },
    invoke: { src: "core.fail", input: again },
  };
  const asked = { ...part, ways: [...ways, { targets: [uncaught] }] };
  return { onError: [caught], more: [...[[caught, asked] as [string, Part]], [uncaught, rest]] };
}

/** How often a request is tried again, and what differs. @throws NoEquivalent */
export function retryOf(spec: JsonObject, isRepeatable: boolean, notes: string[]): Retry {
  const [retrier, ...more] = objectsOf(spec.Retry);
  if (retrier === undefined) return { maxAttempts: 1 };
  if (more.length > 0) throw new NoEquivalent("it is tried again in several ways");
  refuseFields(
    retrier,
    "ErrorEquals IntervalSeconds MaxAttempts BackoffRate MaxDelaySeconds JitterStrategy Comment",
    "Retry",
  );
  const { IntervalSeconds: wait = 1, MaxAttempts: most = 3, BackoffRate: rate = 2, MaxDelaySeconds: longest } = retrier;
  if (![wait, most].every(Number.isInteger) || typeof rate !== "number" || Number(most) > 19)
    throw new NoEquivalent("how often it is tried again is not written out as at most 19 times");
  if (most === 0) return { maxAttempts: 1 };
  const names = namesOf(retrier);
  if (names.some((name) => ANY.has(name)))
    notes.push("It is tried again after errors that may pass; there also after every other one.");
  else if (isRepeatable && names.every(mayPass))
    notes.push(
      "It is tried again after all errors that may pass (408, 429, 5xx, no connection), not only those that are named.",
    );
  else throw new NoEquivalent(`it is tried again after ${names.join(", ")} only`);
  if (rate !== 1 && rate !== 2) notes.push(`The time between two attempts doubles; there it grows ${rate} times.`);
  const initialMs = Number(wait) * 1_000;
  const maxMs = typeof longest === "number" ? longest * 1_000 : initialMs * 2 ** Number(most);
  return {
    ...{ maxAttempts: Number(most) + 1, backoff: rate === 1 ? "fixed" : "exponential" },
    ...{ initialMs, maxMs: Math.max(initialMs, maxMs) },
  };
}

const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const namesOf = ({ ErrorEquals: names }: JsonObject): string[] => (Array.isArray(names) ? names.map(String) : []);

function refuseFields(value: JsonObject, known: string, where: string): void {
  const fields = new Set(known.split(" "));
  const other = Object.keys(value).find((key) => !fields.has(key));
  if (other !== undefined) throw new NoEquivalent(`its ${where} has ${other}, which has no exact equivalent`);
}

function mayPass(name: string): boolean {
  const status = Number(STATUS.exec(name)?.[1] ?? 0);
  return (
    name === "States.Timeout" || name === "States.Http.Socket" || status === 408 || status === 429 || status >= 500
  );
}

/** What an error is called there, in CEL. */
function nameOf(error: string): string {
  const status = `"States.Http.StatusCode." + string(int(${error}.details.status))`;
  const other = `(${error}.code in ${TIMEOUTS} ? "States.Timeout" : "States.TaskFailed")`;
  // That of a run that was called is a word.
  const isStatus = `${error}.?details.?status.hasValue() && string(${error}.details.status).matches("^[0-9]")`;
  return `${error}.?details.?error.orValue(${isStatus} ? ${status} : ${other})`;
}

/** Which errors are caught; undefined: all. @throws NoEquivalent */
function guardOf(names: readonly string[], error: string): Guard | undefined {
  if (names.includes("States.ALL")) return undefined;
  const cel = celOf({ root: error, segments: ["code"] });
  const guards = names.map((name): Guard => {
    const status = STATUS.exec(name)?.[1];
    const isEqual = (key: string, value: string | number): Guard => ({
      ...{ type: "condition", params: { key: `${error}.${key}`, operator: "==", value } },
    });
    if (status !== undefined) return isEqual("details.status", Number(status));
    if (name === "States.Http.Socket") return isEqual("code", "OUTBOUND_UNREACHABLE");
    if (name === "States.Timeout" || name === "States.TaskFailed") {
      const expression = `${name === "States.Timeout" ? "" : "!"}(${cel} in ${TIMEOUTS})`;
      return { type: "cel", params: { expression } };
    }
    if (RESERVED.test(name)) throw new NoEquivalent(`it catches ${name}, which has no exact equivalent`);
    return isEqual("details.error", name);
  });
  const [only, ...more] = guards;
  return only !== undefined && more.length === 0 ? only : { type: "any", guards };
}
