import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { MapNode } from "./n8n-context.ts";
import type { N8nNode } from "./n8n-document.ts";

/** What a Merge node does with what comes in from its sides. */
type Merging =
  /** It hands on the items of all sides, one after the other. */
  | { kind: "append" }
  /** It makes one item of the items of all sides: of one from each, or of each with each. */
  | { kind: "position"; prefersFirst: boolean }
  /** It waits for all sides and hands on what came from one of them; undefined: an empty item. */
  | { kind: "choose"; input: number | undefined }
  /** What it hands on is computed from the items. */
  | { kind: "computed"; reason: string };

const BY_FIELDS = "it matches the items of its sides by their fields";

/** Modes of version 1, and names of the same in later ones. */
const COMPUTED: Record<string, string> = {
  keepKeyMatches: `${BY_FIELDS} and keeps those that match`,
  removeKeyMatches: `${BY_FIELDS} and keeps those that do not match`,
  mergeByKey: BY_FIELDS,
  combineBySql: "it combines by SQL",
};

/** How a Merge node of any version merges. */
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
  if (mode === "combine") {
    const { combineBy, combinationMode, joinMode = "keepMatches" } = parameters;
    const by = String((version < 3 ? combinationMode : (combineBy ?? combinationMode)) ?? "combineByFields");
    if (["combineByPosition", "mergeByPosition", "combineAll", "multiplex"].includes(by)) return combined(parameters);
    return { kind: "computed", reason: `${BY_FIELDS} (${String(joinMode)})` };
  }
  const known = Object.hasOwn(COMPUTED, String(mode)) ? COMPUTED[String(mode)] : undefined;
  return { kind: "computed", reason: known ?? `it merges in a way that is not known: ${String(mode)}` };
}

/** Of the fields that several sides have, the last one stays unless it says otherwise. */
function combined({ options, numberInputs = 2 }: JsonObject): Merging {
  const clash = isObject(options) && isObject(options.clashHandling) ? options.clashHandling.values : undefined;
  const { resolveClash = "preferLast", overrideEmpty } = isObject(clash) ? clash : {};
  if (overrideEmpty === true) return { kind: "computed", reason: "it prefers the field that is not empty" };
  const isOfTwo = numberInputs === 2;
  if (resolveClash === "preferLast" || (resolveClash === "preferInput2" && isOfTwo))
    return { kind: "position", prefersFirst: false };
  if (resolveClash === "preferInput1" && isOfTwo) return { kind: "position", prefersFirst: true };
  return { kind: "computed", reason: "it renames fields that several sides have, or prefers one side of several" };
}

/** A junction, where what it hands on is what came in. @throws NoEquivalent */
export const mapMerge: MapNode = (node, { document }) => {
  const merging = mergingOf(node);
  if (merging.kind === "computed")
    throw new NoEquivalent(`${merging.reason}: a core.transform over the lists of both sides must do that here`);
  const notes = {
    append: [
      "n8n hands on the items of every side; here what follows runs once, and reads from the steps that made them.",
    ],
    position: [
      "What comes together here is read from the steps that made it; nothing is copied into one item.",
      "Where a side hands on nothing, n8n may stop here; this goes on.",
    ],
    choose: [],
  }[merging.kind];
  return { ways: [{ targets: document.outputs(node.name) }], notes };
};
