import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { type Address, getAt, indexStates, listTransitions, rootsInCel, rootsInText, setAt } from "@oven/scope";
import { type Edit, isRefused, type Refusal } from "./edit.ts";
import { renameState } from "./operations/rename-state.ts";

/** A text of a definition that holds what was sought. */
export interface Place {
  /** Tells places apart. */
  key: string;
  /** The state it belongs to; null: the workflow. */
  stateId: string | null;
  /** An id is renamed, and what refers to it follows; what a node does is not replaced as text. */
  what: "id" | "node" | "text";
  address: Address;
  /** Where in the state: `invoke.input.prompt`. */
  field: string;
  text: string;
  hits: readonly Hit[];
}

interface Hit {
  start: number;
  end: number;
}

/** Parts that name states or choose a form, not texts; results of states in expressions follow their ids. */
const STRUCTURE: ReadonlySet<string> = new Set([
  "initial",
  "type",
  "history",
  "outcome",
  "bodyInitial",
  "states",
  "bodyStates",
]);
/** The keys of `meta` that hold texts of a person. */
const WRITTEN: ReadonlySet<string> = new Set(["note", "notes", "examples"]);

function hitsIn(text: string, query: string, exact: boolean): Hit[] {
  if (query === "") return [];
  const [within, sought] = exact ? [text, query] : [text.toLowerCase(), query.toLowerCase()];
  // A few signs change their length in lower case; then only the exact text is found.
  if (within.length !== text.length) return hitsIn(text, query, true);
  const hits: Hit[] = [];
  for (let at = within.indexOf(sought); at !== -1; at = within.indexOf(sought, at + sought.length))
    hits.push({ start: at, end: at + sought.length });
  return hits;
}

/** Every text with what is sought: ids and nodes of states, then their texts, then those of the workflow. */
export function searchDefinition(document: JsonObject, query: string, exact: boolean): Place[] {
  const places: Place[] = [];
  const targets = new Set(listTransitions(document).map(({ address }) => toKey(address)));
  const results = new Set(indexStates(document).list.flatMap(({ id }) => [id, `${id}_output`, `${id}_error`]));
  const look = (
    stateId: string | null,
    what: Place["what"],
    base: Address,
    within: Address,
    text: string,
    isCel: boolean,
  ): void => {
    const found = hitsIn(text, query, exact);
    if (found.length === 0) return;
    // What reads the result of a state is renamed with it, never as text.
    const roots = what === "text" ? (isCel ? rootsInCel(text) : rootsInText(text)) : [];
    const references = roots.filter(({ key }) => results.has(key));
    const hits = found.filter(({ start, end }) => !references.some((root) => start < root.end && root.start < end));
    const address = [...base, ...within];
    if (hits.length > 0)
      places.push({ key: `${what} ${toKey(address)}`, stateId, what, address, field: within.join("."), text, hits });
  };
  const walk = (
    stateId: string | null,
    base: Address,
    within: Address,
    value: Json,
    skip: ReadonlySet<string>,
  ): void => {
    if (typeof value === "string") {
      const address = toKey([...base, ...within]);
      if (targets.has(address) || (within.at(-1) === "target" && targets.has(toKey([...base, ...within.slice(0, -1)]))))
        return;
      const last = within.at(-1);
      const holder = getAt(document, [...base, ...within.slice(0, -2)]);
      const isGuard = last === "expression" && isObject(holder) && holder.type === "cel";
      look(stateId, "text", base, within, value, last === "$cel" || isGuard);
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(stateId, base, [...within, index], item, NOTHING);
    } else if (isObject(value))
      for (const [name, child] of Object.entries(value)) {
        if (skip.has(name) || (within[0] === "meta" && name === "id")) continue;
        walk(stateId, base, [...within, name], child, within.length === 0 && name === "loop" ? STRUCTURE : NOTHING);
      }
  };
  for (const { id, state, address } of indexStates(document).list) {
    look(id, "id", address, [], id, false);
    const src = getAt(state, ["invoke", "src"]);
    if (typeof src === "string") look(id, "node", [...address, "invoke"], ["src"], src, false);
    const { invoke, ...rest } = state;
    walk(id, address, [], rest, STRUCTURE);
    if (isObject(invoke)) {
      const { src: _src, ...settings } = invoke;
      walk(id, address, ["invoke"], settings, NOTHING);
    }
  }
  const { meta, ...own } = document;
  walk(null, [], [], own, STRUCTURE);
  if (isObject(meta))
    for (const [name, value] of Object.entries(meta))
      if (WRITTEN.has(name)) walk(null, [], ["meta", name], value, NOTHING);
  return places;
}

const NOTHING: ReadonlySet<string> = new Set();
const toKey = (address: Address): string => JSON.stringify(address);

/** A text with all hits replaced. */
export function replaceHits({ text, hits }: Pick<Place, "text" | "hits">, by: string): string {
  let result = "";
  let from = 0;
  for (const { start, end } of hits) {
    result += text.slice(from, start) + by;
    from = end;
  }
  return result + text.slice(from);
}

/** Replaces in all places at once: texts as such, ids by renaming the states. Nodes stay what they are. */
export function replacePlaces(document: JsonObject, places: readonly Place[], by: string): Edit | Refusal {
  let replaced = document;
  for (const place of places)
    if (place.what === "text") replaced = setAt(replaced, place.address, replaceHits(place, by));
  for (const place of places) {
    if (place.what !== "id") continue;
    const result = renameState(replaced, place.text, replaceHits(place, by));
    if (isRefused(result))
      return { reason: t("{{text}} cannot be renamed: {{reason}}", { text: place.text, reason: result.reason }) };
    replaced = result.document;
  }
  return { document: replaced };
}
