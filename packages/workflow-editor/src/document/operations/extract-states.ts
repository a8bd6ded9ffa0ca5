import { getOwn, isObject, type Json, type JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import {
  childrenAddress,
  familyOf,
  getAt,
  initialAddress,
  objectAt,
  outermost,
  removeAt,
  replaceRootPaths,
  type StatePlace,
  setAt,
  type TransitionPlace,
  variablesOf,
  withKey,
} from "@oven/scope";
import type { Refusal } from "../edit.ts";
import { mapExpressions, rootsOf } from "../references.ts";
import { freeStateId, takenIds } from "../state-ids.ts";
import { setTarget } from "../transitions.ts";
import { withoutMembers } from "./annotations.ts";
import { dropPositions } from "./positions.ts";
import { crossings, entryOf } from "./wrap-states.ts";

export interface Extracted {
  /** The caller, with one state that calls the new workflow. */
  document: JsonObject;
  select: readonly string[];
  /** The new workflow. */
  definition: JsonObject;
}

/** Roots that mean the same in a workflow of its own. */
const EVERYWHERE: ReadonlySet<string> = new Set([
  "parent",
  "execution",
  "messages",
  "toolCalls",
  "toolResults",
  "output",
]);

/**
 * Makes a workflow of its own of states of one container. What they read of the rest becomes its payload, what the rest reads of
 * them its output, and each way out an end with an outcome of its own. `workflow` is the id or slug the new one will have.
 */
export function extractStates(
  document: JsonObject,
  ids: readonly string[],
  workflow: string,
  kind: "workflow" | "agent-workflow",
): Extracted | Refusal {
  const tops = outermost(document, ids);
  const [first] = tops;
  if (first === undefined) return { reason: t("Select states first") };
  const inside = new Set(tops.flatMap(familyOf));
  const { incoming, outgoing } = crossings(document, inside);
  const reason = refuse(document, tops, inside, incoming);
  if (reason !== null) return { reason };
  const entry = entryOf(tops, incoming);
  const id = freeStateId(workflow, takenIds(document));
  const results = [...inside].flatMap((place) => [place.id, `${place.id}_output`, `${place.id}_error`]);
  const rest = tops.reduce((left, { address }) => removeAt(left, address), document);
  const readOutside = [...rootsOf(rest)].filter((root) => results.includes(root));

  const targets = [...new Set(outgoing.flatMap(({ target }) => target ?? []))];
  const definition = toDefinition(document, tops, outgoing, targets, readOutside, entry.id);
  const input = inputOf(document, tops, new Set(results));
  const call: JsonObject = {
    src: "core.callWorkflow",
    input: { workflow, kind, input: input.values },
    ...(targets.length === 0 ? {} : { onDone: toBranches(id, targets) }),
  };

  let caller = incoming.reduce((left, { address }) => setTarget(left, address, id), document);
  const address = childrenAddress(first.parent);
  const keys = Object.keys(objectAt(caller, address));
  const before = keys[keys.indexOf(first.id) - 1];
  for (const top of tops) caller = removeAt(caller, top.address);
  const around = objectAt(caller, address);
  const state: JsonObject = { label: t("Call workflow"), invoke: call };
  caller = setAt(
    caller,
    address,
    before === undefined ? { [id]: state, ...around } : withKey(around, id, state, before),
  );
  if (tops.some(({ initial }) => initial)) caller = setAt(caller, initialAddress(first.parent), id);
  const moved = new Map(readOutside.map((root) => [root, [`${id}_output`, "output", root]]));
  const renamed = mapPaths(caller, (root) => moved.get(root));
  const names = new Set([...inside].map((place) => place.id));
  return {
    document: withoutMembers(dropPositions(renamed, names), names),
    select: [id],
    definition: { ...definition, payloadSchema: { type: "object", properties: input.properties } },
  };
}

function refuse(
  document: JsonObject,
  tops: readonly StatePlace[],
  inside: ReadonlySet<StatePlace>,
  incoming: readonly TransitionPlace[],
): string | null {
  if (tops.some(({ parent }) => parent !== tops[0]?.parent)) return t("These states stand in different groups");
  if (tops.some(({ state }) => state.type === "final" || state.type === "history"))
    return t("Ends and history states stay: leave them out of the selection");
  if (tops[0]?.parent?.state.type === "parallel") return t("Regions stay: select states inside of one");
  if (new Set(incoming.map(({ target }) => target)).size > 1)
    return t("A workflow begins in one place, and these states are begun in several");
  const inner = [...inside].map(({ state }) => state);
  const [changed] = [...variablesOf({ states: { inner } })].filter((name) => variablesOf(document).has(name));
  if (changed !== undefined)
    return t("These states change the variable {{changed}}, which the rest could not see any more", { changed });
  const texts = JSON.stringify(tops.map(({ state }) => state));
  if (/"(?:\$cel|expression)":"(?:[^"\\]|\\.)*\b(?:item|index|trigger)\b/.test(texts))
    return t("An expression (CEL) in these states reads trigger, item or index: read it by a path in an input first");
  return null;
}

/** Each way out ends the new workflow with an outcome of its own and what the rest reads. */
function toDefinition(
  document: JsonObject,
  tops: readonly StatePlace[],
  outgoing: readonly TransitionPlace[],
  targets: readonly string[],
  readOutside: readonly string[],
  entry: string,
): JsonObject {
  let changed = document;
  for (const { address, target } of outgoing) if (target !== null) changed = setTarget(changed, address, endOf(target));
  const output = Object.fromEntries(readOutside.map((root): [string, Json] => [root, `$.${root} | default(null)`]));
  const states = Object.fromEntries([
    ...tops.map((top): [string, Json] => [top.id, getAt(changed, top.address) ?? {}]),
    ...targets.map((target): [string, Json] => [
      endOf(target),
      { type: "final", outcome: endOf(target), ...(readOutside.length === 0 ? {} : { output }) },
    ]),
  ]);
  const agentConfig: JsonObject = isObject(document.agentConfig) ? { agentConfig: document.agentConfig } : {};
  const own = new Set(tops.flatMap(familyOf).flatMap(({ id }) => [id, `${id}_output`, `${id}_error`]));
  return mapPaths({ initial: entry, ...agentConfig, states }, (root) =>
    own.has(root) || EVERYWHERE.has(root) || root === "trigger" ? undefined : ["trigger", root],
  );
}

const endOf = (target: string): string => `to_${target}`.slice(0, 60);

/** What the states read of the rest, by the name it has in the payload. */
function inputOf(
  document: JsonObject,
  tops: readonly StatePlace[],
  own: ReadonlySet<string>,
): { values: JsonObject; properties: JsonObject } {
  const states = tops.map(({ state }): Json => state);
  const names = [...rootsOf(states)].filter((root) => !own.has(root) && !EVERYWHERE.has(root) && root !== "trigger");
  const payload = objectAt(document, ["payloadSchema", "properties"]);
  const read = [...JSON.stringify(states).matchAll(/\$\.trigger\.([A-Za-z_][A-Za-z0-9_-]*)/g)].map(
    ([, key = ""]) => key,
  );
  const values: [string, Json][] = [];
  const properties: [string, Json][] = [];
  for (const key of new Set(read)) {
    values.push([key, `$.trigger.${key} | default(null)`]);
    properties.push([key, getOwn(payload, key) ?? {}]);
  }
  for (const name of names) {
    values.push([name, `$.${name} | default(null)`]);
    properties.push([name, {}]);
  }
  return { values: Object.fromEntries(values), properties: Object.fromEntries(properties) };
}

/** Where the caller goes on, by the outcome of what it called. */
function toBranches(id: string, targets: readonly string[]): Json {
  const [only] = targets;
  if (targets.length === 1 && only !== undefined) return only;
  return targets.map((target, index): Json => {
    if (index === targets.length - 1) return target;
    const params = { key: `$.${id}_output.outcome`, operator: "==", value: endOf(target) };
    return { target, guard: { type: "condition", params } };
  });
}

function mapPaths(document: JsonObject, map: (root: string) => readonly string[] | undefined): JsonObject {
  const mapped = mapExpressions(document, (text, kind) => replaceRootPaths(text, kind === "cel", map));
  return isObject(mapped) ? mapped : document;
}
