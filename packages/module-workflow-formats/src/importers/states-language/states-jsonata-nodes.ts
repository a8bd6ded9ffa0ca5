import type { Json, JsonObject } from "@oven/contract";
import type { Invoke } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { guardOfJsonata, placeOfJsonata, resultsOfJsonata, valueOfJsonata } from "./states-jsonata.ts";
import type { Mapped, Mapping } from "./states-mapping.ts";
import { celOf, pathOf } from "./states-paths.ts";

const NOTE =
  "Where JSONata reads a field of each entry of a list, or one value as a list, the run fails here, and a rule does not hold.";

/** Fields of a state whose values are JSONata. */
export const JSONATA_FIELDS: Record<string, string> = {
  Pass: "Output Assign",
  Wait: "Seconds Timestamp Output Assign",
  Choice: "Choices Default",
  Succeed: "Output",
  Fail: "Cause Error",
};

/** A state whose values are JSONata, as far as they read paths. @throws NoEquivalent */
export function mapJsonata({ state, data }: Mapping, last: string): Mapped {
  const { type, spec, keyOf } = state;
  const targets = typeof spec.Next === "string" ? [keyOf(spec.Next)] : [];
  const onward = () => [{ targets, actions: resultsOfJsonata(spec, data.root, data) }];
  const notes = JSON.stringify(spec).includes("{%") ? [NOTE] : [];
  switch (type) {
    case "Pass":
      return { ways: onward(), notes };
    case "Wait": {
      const { Seconds: seconds, Timestamp: instant } = spec;
      const [one, two] = [placeOfJsonata(seconds ?? null, data), placeOfJsonata(instant ?? null, data)];
      if ((one === undefined) === (two === undefined))
        throw new NoEquivalent("how long it waits is not said in one way");
      const invoke: Invoke =
        one === undefined
          ? { src: "core.waitUntil", input: { until: two === undefined ? "" : pathOf(two) } }
          : { src: "core.delay", input: { ms: { $cel: `${celOf(one)} * 1000.0` } } };
      return { invoke, ways: onward(), notes };
    }
    case "Succeed":
      return {
        final: { output: spec.Output === undefined ? data.root : valueOfJsonata(spec.Output, data) },
        ways: [],
        notes,
      };
    case "Fail": {
      const [cause, error] = [spec.Cause ?? "", spec.Error ?? ""].map((one) => valueOfJsonata(one, data));
      const message: Json =
        [cause, error].find((text) => text !== undefined && text !== "") ?? "The state machine failed.";
      const details: JsonObject = error === undefined || error === "" ? {} : { details: { error } };
      return { invoke: { src: "core.fail", input: { message, ...details } }, ways: [], notes };
    }
    default: {
      const rules = Array.isArray(spec.Choices) ? spec.Choices.filter(isObject) : [];
      const known = new Set(["Condition", "Next", "Comment", "Output", "Assign"]);
      const other = rules.flatMap((rule) => Object.keys(rule)).find((key) => !known.has(key));
      if (other !== undefined) throw new NoEquivalent(`a rule of it has ${other}, which has no exact equivalent`);
      const ways = rules.map((rule) => ({
        guard: guardOfJsonata(rule.Condition ?? null, data),
        targets: [keyOf(String(rule.Next))],
        actions: resultsOfJsonata(rule, data.root, data),
      }));
      return { ways: [...ways, { targets: [last] }], notes };
    }
  }
}
