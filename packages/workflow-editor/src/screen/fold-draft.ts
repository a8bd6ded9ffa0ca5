import { isObject, type JsonObject } from "@oven/contract";
import { compareDefinitions } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { getAt, setAt } from "@oven/scope";
import type { DiffMark } from "../compare/drawn-diff.ts";
import { type Conflict, mergeDefinitions } from "../compare/merge-definitions.ts";
import { labelOf } from "../document/label-of.ts";

/** Where cards stand and what is folded: of two who change that, neither needs to be asked. */
const VIEW = ["positions", "collapsed", "direction"];
/** Names in the label of an undo step; more of them are counted. */
const NAMED = 3;

/** Who saved the draft that is folded in: the assistant of this person, or anybody else. */
export type FoldAuthor = "assistant" | "other";

/** Joins a newer draft of the server with what is on the canvas; null: both changed the same, and a person has to choose. */
export function foldDraft(base: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject | null {
  const { document, conflicts } = mergeDefinitions(withRoomForView(base, mine, theirs), mine, theirs);
  return conflicts.every(isAboutView) ? document : null;
}

/** What both wrote into an empty `meta` are changes of one object, not two objects under one name. */
function withRoomForView(base: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject {
  const areObjects = (address: readonly string[]): boolean =>
    [mine, theirs].every((document) => isObject(getAt(document, address)));
  return [["meta"], ["meta", "positions"]].reduce(
    (document, address) =>
      getAt(document, address) === undefined && areObjects(address) ? setAt(document, address, {}) : document,
    base,
  );
}

function isAboutView({ address: [first, second] }: Conflict): boolean {
  return first === "meta" && VIEW.includes(String(second));
}

/** The states that became different from one definition to another, as cards are marked with it. */
export function changedStates(before: JsonObject, after: JsonObject): ReadonlyMap<string, DiffMark> {
  const { added, changed, moved } = compareDefinitions(before, after);
  return new Map<string, DiffMark>([
    ...changed.map(({ stateId }): [string, DiffMark] => [stateId, "changed"]),
    ...moved.map(({ stateId }): [string, DiffMark] => [stateId, "moved"]),
    ...added.map((id): [string, DiffMark] => [id, "added"]),
  ]);
}

/** What an undo step is called that folded a newer draft in. */
export function toFoldLabel(before: JsonObject, after: JsonObject, by: FoldAuthor): string {
  const { added, removed, changed, moved } = compareDefinitions(before, after);
  const others = [...changed, ...moved].map(({ stateId }) => stateId);
  const isAssistant = by === "assistant";
  if (added.length > 0 && removed.length === 0) {
    const states = toNames(after, added);
    return isAssistant ? t("Assistant: add {{states}}", { states }) : t("Another editor: add {{states}}", { states });
  }
  if (removed.length > 0 && added.length === 0) {
    const states = toNames(before, removed);
    return isAssistant
      ? t("Assistant: remove {{states}}", { states })
      : t("Another editor: remove {{states}}", { states });
  }
  if (added.length + others.length > 0) {
    const states = toNames(after, [...new Set([...added, ...others])]);
    return isAssistant
      ? t("Assistant: change {{states}}", { states })
      : t("Another editor: change {{states}}", { states });
  }
  return isAssistant ? t("Assistant: change the settings") : t("Another editor: change the settings");
}

function toNames(document: JsonObject, ids: readonly string[]): string {
  const names = ids.slice(0, NAMED).map((id) => labelOf(document, id));
  const others = ids.length - names.length;
  const states = names.join(", ");
  return others === 0 ? states : t("{{states}} and {{others}} more", { states, others });
}
