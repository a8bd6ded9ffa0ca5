import type { Json } from "@oven/contract";
import type { Guard } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import type { Part } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import { toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { translateRule } from "./states-choices.ts";
import type { StateData } from "./states-data.ts";
import type { MachineState } from "./states-document.ts";

export type Mapped = Pick<Part, "invoke" | "final" | "ways" | "endOutput">;

/** What a choice comes to of which no rule holds, and that has no default. */
export const NO_CHOICE = partKey("no choice");

const LONGEST_S = 366 * 24 * 3_600;

/** Fields that say how a state reads and writes; a state that has others is more than is known here. */
const KNOWN: Record<string, string> = {
  Pass: "InputPath Parameters Result ResultPath OutputPath",
  Wait: "InputPath OutputPath Seconds",
  Choice: "InputPath OutputPath Choices Default",
  Succeed: "InputPath OutputPath",
  Fail: "Cause Error",
};
const EVERYWHERE = "Type Comment Next End QueryLanguage";

/** What a state becomes. @throws NoEquivalent */
export function mapState({ type, spec, isJsonata }: MachineState, data: StateData): Mapped {
  if (type === "Task") throw new NoEquivalent(`it calls ${String(spec.Resource ?? "nothing")}`);
  if (type === "Map" || type === "Parallel")
    throw new NoEquivalent(`its ${type === "Map" ? "rounds" : "branches"} have inputs of their own`);
  const known = new Set(`${EVERYWHERE} ${KNOWN[type] ?? ""}`.split(" "));
  const other = Object.keys(spec).find((key) => !known.has(key));
  if (other !== undefined) throw new NoEquivalent(`it has ${other}, which has no exact equivalent`);
  if (isJsonata && JSON.stringify(spec).includes("{%")) throw new NoEquivalent("its values are JSONata");
  if (isJsonata && type === "Choice") throw new NoEquivalent("its conditions are JSONata");
  const seen = data.through(spec.InputPath);
  const targets = typeof spec.Next === "string" ? [spec.Next] : [];
  switch (type) {
    case "Pass": {
      const input = spec.Parameters === undefined ? seen.path("$") : seen.template(spec.Parameters);
      const result = spec.Result === undefined ? input : toLiteral(spec.Result);
      return { ways: [{ targets, actions: data.results(spec, result) }] };
    }
    case "Wait": {
      const { Seconds: seconds } = spec;
      if (typeof seconds !== "number" || !Number.isInteger(seconds) || seconds > LONGEST_S)
        throw new NoEquivalent("how long it waits is not written out as seconds of at most 366 days");
      const ways = [{ targets, actions: data.results(spec, seen.path("$")) }];
      return { invoke: { src: "core.delay", input: { ms: seconds * 1_000 } }, ways };
    }
    case "Succeed": {
      const output: Json = spec.OutputPath === null ? {} : seen.through(spec.OutputPath).path("$");
      return { final: { output }, ways: [] };
    }
    case "Fail": {
      const { Cause: cause = "", Error: error = "" } = spec;
      const message = String(cause) || String(error) || "The state machine failed.";
      return {
        invoke: {
          src: "core.fail",
          input: { message: toLiteral(message), ...(error === "" ? {} : { details: { error: toLiteral(error) } }) },
        },
        ways: [],
      };
    }
    default: {
      const actions = data.results(spec, seen.path("$"));
      const rules = Array.isArray(spec.Choices) ? spec.Choices.filter(isObject) : [];
      const ways = rules.map((rule): { guard: Guard; targets: string[]; actions: typeof actions } => ({
        ...{ guard: translateRule(rule, seen), targets: [String(rule.Next)], actions },
      }));
      const last = typeof spec.Default === "string" ? spec.Default : NO_CHOICE;
      return { ways: [...ways, { targets: [last], actions }] };
    }
  }
}
