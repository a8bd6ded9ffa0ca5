import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import type { Part } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import { toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { MAP_FIELDS, mapMap, mapParallel, PARALLEL_FIELDS } from "./states-bodies.ts";
import { translateRule } from "./states-choices.ts";
import { StateCode } from "./states-code.ts";
import type { StateData } from "./states-data.ts";
import { HTTP, HTTP_FIELDS, mapHttp } from "./states-http.ts";
import { JSONATA_FIELDS, mapJsonata } from "./states-jsonata-nodes.ts";
import type { Mapped, Mapping } from "./states-mapping.ts";
import { mapCall, START_MACHINE, whyOpen } from "./states-tasks.ts";
import { isTimestamp } from "./states-timestamps.ts";

/** What a choice comes to of which no rule holds, and that has no default, by its machine. */
export const noChoiceKey = (machine: string): string => partKey(`no choice ${machine}`);

const LONGEST_S = 366 * 24 * 3_600;

/** Fields that say how a state reads and writes; a state that has others is more than is known here. */
const KNOWN: Record<string, string> = {
  Pass: "InputPath Parameters Result ResultPath OutputPath",
  Wait: "InputPath OutputPath Seconds SecondsPath Timestamp TimestampPath",
  Choice: "InputPath OutputPath Choices Default",
  Succeed: "InputPath OutputPath",
  Fail: "Cause CausePath Error ErrorPath",
  Task: HTTP_FIELDS,
  Map: MAP_FIELDS,
  Parallel: PARALLEL_FIELDS,
};
const EVERYWHERE = "Type Comment Next End QueryLanguage";

/** What a state becomes. @throws NoEquivalent */
export function mapState(mapping: Mapping): Mapped {
  const { state, data, id } = mapping;
  const { type, spec, isJsonata, keyOf } = state;
  if (type === "Task" && spec.Resource !== HTTP && spec.Resource !== START_MACHINE)
    throw new NoEquivalent(whyOpen(spec));
  const last = typeof spec.Default === "string" ? keyOf(spec.Default) : noChoiceKey(state.machine);
  if (isJsonata) {
    const [expression] = /\{%(?:[^%]|%(?!\}))*%\}/.exec(JSON.stringify(spec)) ?? [];
    const fields = JSONATA_FIELDS[type];
    const isNeeded = expression !== undefined || type === "Choice" || "Output" in spec || "Assign" in spec;
    if (fields === undefined) throw new NoEquivalent(`its values are JSONata: ${(expression ?? type).slice(0, 200)}`);
    if (isNeeded) {
      refuseOthers(spec, fields);
      return mapJsonata(mapping, last);
    }
  }
  refuseOthers(spec, KNOWN[type] ?? "");
  const seen = data.through(spec.InputPath);
  const targets = typeof spec.Next === "string" ? [keyOf(spec.Next)] : [];
  switch (type) {
    case "Task":
      return spec.Resource === HTTP ? mapHttp(mapping) : mapCall(mapping);
    case "Map":
      return mapMap(mapping);
    case "Parallel":
      return mapParallel(mapping);
    case "Pass": {
      const code = new StateCode(`$.${id}_output`);
      const input = spec.Parameters === undefined ? seen.value("$") : seen.withCode(code).template(spec.Parameters);
      const result = spec.Result === undefined ? input : toLiteral(spec.Result);
      const ways = [{ targets, actions: data.results(spec, result) }];
      return { ...(code.step === undefined ? {} : { invoke: code.step }), ways };
    }
    case "Wait":
      return { invoke: waitOf(spec, seen), ways: [{ targets, actions: data.results(spec, seen.value("$")) }] };
    case "Succeed": {
      const output: Json = spec.OutputPath === null ? {} : seen.through(spec.OutputPath).value("$");
      return { final: { output }, ways: [] };
    }
    case "Fail":
      return { invoke: failureOf(spec, seen), ways: [] };
    default: {
      const actions = data.results(spec, seen.value("$"));
      const rules = Array.isArray(spec.Choices) ? spec.Choices.filter(isObject) : [];
      const ways = rules.map((rule) => ({
        guard: translateRule(rule, seen),
        targets: [keyOf(String(rule.Next))],
        actions,
      }));
      const isTimed = JSON.stringify(rules).includes('"Timestamp');
      const notes = isTimed ? ["Digits of a timestamp behind its milliseconds are not compared."] : [];
      return { ways: [...ways, { targets: [last], actions }], notes };
    }
  }
}

/** @throws NoEquivalent where a state has fields beside `known` */
function refuseOthers(spec: JsonObject, known: string): void {
  const fields = new Set(`${EVERYWHERE} ${known}`.split(" "));
  const other = Object.keys(spec).find((key) => !fields.has(key));
  if (other !== undefined) throw new NoEquivalent(`it has ${other}, which has no exact equivalent`);
}

function waitOf(spec: JsonObject, seen: StateData): Part["invoke"] {
  const { Seconds: seconds, SecondsPath: path, Timestamp: instant, TimestampPath: instantPath } = spec;
  const given = [seconds, path, instant, instantPath].filter((one) => one !== undefined);
  if (given.length !== 1) throw new NoEquivalent("how long it waits is not said in one way");
  if (typeof path === "string") return { src: "core.delay", input: { ms: { $cel: `${seen.cel(path)} * 1000.0` } } };
  if (typeof instantPath === "string") return { src: "core.waitUntil", input: { until: seen.value(instantPath) } };
  if (isTimestamp(instant)) return { src: "core.waitUntil", input: { until: instant } };
  if (typeof seconds !== "number" || !Number.isInteger(seconds) || seconds < 0 || seconds > LONGEST_S)
    throw new NoEquivalent("how long it waits is not written out as a time, or as seconds of at most 366 days");
  return { src: "core.delay", input: { ms: seconds * 1_000 } };
}

function failureOf(spec: JsonObject, seen: StateData): Part["invoke"] {
  const of = (name: string): Json => {
    const path = spec[`${name}Path`];
    if (typeof path === "string") return seen.value(path);
    return toLiteral(String(spec[name] ?? ""));
  };
  const [cause, error] = [of("Cause"), of("Error")];
  const message = [cause, error].find((text) => text !== "") ?? "The state machine failed.";
  return { src: "core.fail", input: { message, ...(error === "" ? {} : { details: { error } }) } };
}
