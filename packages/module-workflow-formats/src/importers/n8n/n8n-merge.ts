import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { MapNode } from "./n8n-context.ts";
import type { N8nNode } from "./n8n-document.ts";

/** What a Merge node does with what comes in from its sides. */
type Merging =
  /** It hands on the items of all sides, one after the other. */
  | { kind: "append" }
  /** It makes one item of the first items of all sides, of the second ones and so on. */
  | { kind: "position" }
  /** It waits for all sides and hands on what came from one of them; undefined: an empty item. */
  | { kind: "choose"; input: number | undefined }
  /** What it hands on is computed from the items. */
  | { kind: "computed"; reason: string };

const BY_FIELDS = "it matches the items of its sides by their fields";
const EACH_WITH_EACH = "it combines each item of one side with each of the other";

/** Modes of version 1, and names of the same in later ones. */
const COMPUTED: Record<string, string> = {
  keepKeyMatches: `${BY_FIELDS} and keeps those that match`,
  removeKeyMatches: `${BY_FIELDS} and keeps those that do not match`,
  mergeByKey: BY_FIELDS,
  multiplex: EACH_WITH_EACH,
  combineBySql: "it combines by SQL",
};

/** How a Merge node of any version merges. */
export function mergingOf({ parameters, version }: N8nNode): Merging {
  const { mode = "append", output } = parameters;
  if (mode === "append") return { kind: "append" };
  if (mode === "wait") return { kind: "choose", input: undefined };
  if (mode === "mergeByIndex") return { kind: "position" };
  if (mode === "passThrough" || (mode === "chooseBranch" && version < 3))
    return { kind: "choose", input: output === "empty" ? undefined : output === "input2" ? 1 : 0 };
  if (mode === "chooseBranch") {
    const { useDataOfInput = 1 } = parameters;
    return { kind: "choose", input: output === "empty" ? undefined : Number(useDataOfInput) - 1 };
  }
  if (mode === "combine") {
    const { combineBy, combinationMode, joinMode = "keepMatches" } = parameters;
    const by = String((version < 3 ? combinationMode : (combineBy ?? combinationMode)) ?? "combineByFields");
    if (by === "combineByPosition" || by === "mergeByPosition") return { kind: "position" };
    const reason = by === "combineAll" || by === "multiplex" ? EACH_WITH_EACH : `${BY_FIELDS} (${String(joinMode)})`;
    return { kind: "computed", reason };
  }
  const known = Object.hasOwn(COMPUTED, String(mode)) ? COMPUTED[String(mode)] : undefined;
  return { kind: "computed", reason: known ?? `it merges in a way that is not known: ${String(mode)}` };
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
