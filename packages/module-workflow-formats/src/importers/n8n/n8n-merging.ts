import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { orReason } from "../../importing/no-equivalent.ts";
import type { N8nNode } from "./n8n-document.ts";
import { mergeStep } from "./n8n-merge-steps.ts";

/** What a Merge node does with what comes in from its sides. */
type Merging =
  /** It hands on the items of all sides, one after the other. */
  | { kind: "append" }
  /** It makes one item of the items of all sides: of one from each, or of each with each. */
  | { kind: "position"; prefersFirst: boolean }
  /** It waits for all sides and hands on what came from one of them; undefined: an empty item. */
  | { kind: "choose"; input: number | undefined }
  /** What it hands on is computed from the items. */
  | { kind: "computed" };

const COMPUTED: Merging = { kind: "computed" };

/** How a Merge node of any version merges where each of its sides has one item. */
export function mergingOf({ parameters, version }: N8nNode): Merging {
  const { mode = "append", output } = parameters;
  if (mode === "append") return { kind: "append" };
  if (mode === "wait") return { kind: "choose", input: undefined };
  // Where each side hands on one item, there is one pair.
  if (mode === "mergeByIndex" || mode === "multiplex") return combined(parameters);
  if (mode === "passThrough" || (mode === "chooseBranch" && version < 3))
    return { kind: "choose", input: output === "empty" ? undefined : output === "input2" ? 1 : 0 };
  if (mode === "chooseBranch") {
    const { useDataOfInput = 1 } = parameters;
    return { kind: "choose", input: output === "empty" ? undefined : Number(useDataOfInput) - 1 };
  }
  return mode === "combine" && !matchesFields(parameters, version) ? combined(parameters) : COMPUTED;
}

function matchesFields({ combineBy, combinationMode }: JsonObject, version: number): boolean {
  const by = String((version < 3 ? combinationMode : (combineBy ?? combinationMode)) ?? "combineByFields");
  return !["combineByPosition", "mergeByPosition", "combineAll", "multiplex"].includes(by);
}

/** Of the fields that several sides have, the last one stays unless it says otherwise. */
function combined({ options, numberInputs = 2 }: JsonObject): Merging {
  const clash = isObject(options) && isObject(options.clashHandling) ? options.clashHandling.values : undefined;
  const { resolveClash = "preferLast", overrideEmpty } = isObject(clash) ? clash : {};
  if (overrideEmpty === true) return COMPUTED;
  const isOfTwo = numberInputs === 2;
  if (resolveClash === "preferLast" || (resolveClash === "preferInput2" && isOfTwo))
    return { kind: "position", prefersFirst: false };
  if (resolveClash === "preferInput1" && isOfTwo) return { kind: "position", prefersFirst: true };
  return COMPUTED;
}

/** Whether it matches the items of its sides, or does what else has to be computed, and all of that is known here. */
export function computesMerge(node: N8nNode): boolean {
  return !node.disabled && mergingOf(node).kind === "computed" && "value" in orReason(() => mergeStep(node));
}
