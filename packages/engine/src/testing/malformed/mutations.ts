import type { Json } from "@oven/contract";
import { changed, isObject, type Place, put, valueAt } from "./json-places.ts";

export interface Mutation {
  name: string;
  /** Whether it makes sense at a place. */
  fits(document: Json, place: Place): boolean;
  apply(document: Json, place: Place): Json;
}

const last = (place: Place): string => String(place.at(-1));
const isTarget = (place: Place): boolean =>
  last(place) === "target" ||
  /^(onDone|onError|always)$/.test(last(place)) ||
  /^(on|after)$/.test(String(place.at(-2)));
const isStates = (place: Place): boolean => /^(states|bodyStates)$/.test(last(place));
const isState = (place: Place): boolean => /^(states|bodyStates)$/.test(String(place.at(-2)));
const isText = (document: Json, place: Place): boolean => typeof valueAt(document, place) === "string";
const isKey = (name: string) => (_document: Json, place: Place) => last(place) === name;
const set = (value: Json) => (document: Json, place: Place) =>
  changed(document, place, (holder, key) => put(holder, key, value));
const into = (key: string, value: Json) => (document: Json, place: Place) =>
  changed(document, [...place, key], (holder) => put(holder, key, value));

/** Nested lists `depth` deep. */
function deep(depth: number): Json {
  let value: Json = [];
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

const everywhere = (): boolean => true;
const everyObject = (document: Json, place: Place): boolean => isObject(valueAt(document, place));

/** What people, models and attackers get wrong. */
export const MUTATIONS: readonly Mutation[] = [
  { name: "a member is missing", fits: everywhere, apply: remove },
  { name: "null", fits: everywhere, apply: set(null) },
  { name: "a number", fits: everywhere, apply: set(-1.5) },
  { name: "an empty text", fits: everywhere, apply: set("") },
  { name: "an empty list", fits: everywhere, apply: set([]) },
  { name: "an empty object", fits: everywhere, apply: set({}) },
  { name: "true", fits: everywhere, apply: set(true) },
  { name: "a list around it", fits: everywhere, apply: wrap },
  { name: "a key __proto__", fits: everyObject, apply: into("__proto__", { type: "final", polluted: true }) },
  { name: "a key constructor", fits: everyObject, apply: into("constructor", { prototype: { polluted: true } }) },
  { name: "an unknown key", fits: everyObject, apply: into("onDne", "done") },
  { name: "a key with odd characters", fits: everyObject, apply: into("a.b\u0000\ud800", "done") },
  {
    name: "a target that is no state",
    fits: (document, place) => isTarget(place) && isText(document, place),
    apply: set("nowhere"),
  },
  {
    name: "a target with a hash",
    fits: (document, place) => isTarget(place) && isText(document, place),
    apply: set("#done"),
  },
  {
    name: "a target named like a method",
    fits: (document, place) => isTarget(place) && isText(document, place),
    apply: set("toString"),
  },
  {
    name: "a state id that is reserved",
    fits: (_document, place) => isStates(place),
    apply: into("trigger", { type: "final" }),
  },
  { name: "a state id with a dot", fits: (_document, place) => isStates(place), apply: into("a.b", { type: "final" }) },
  {
    name: "a state id used twice",
    fits: (_document, place) => isStates(place),
    apply: into("done", { type: "final" }),
  },
  {
    name: "a state named like a result",
    fits: (_document, place) => isStates(place),
    apply: into("a_output", { type: "final" }),
  },
  {
    name: "a state nobody enters",
    fits: (_document, place) => isStates(place),
    apply: into("island", { always: "done" }),
  },
  { name: "a state with invoke and always", fits: (_document, place) => isState(place), apply: into("always", "done") },
  { name: "a final state that goes on", fits: (_document, place) => isState(place), apply: into("type", "final") },
  {
    name: "a history state that is entered",
    fits: (_document, place) => isState(place),
    apply: into("type", "history"),
  },
  {
    name: "a parallel state without regions",
    fits: (_document, place) => isState(place),
    apply: into("type", "parallel"),
  },
  {
    name: "a loop beside what there is",
    fits: (_document, place) => isState(place),
    apply: into("loop", { type: "while" }),
  },
  {
    name: "a spin",
    fits: (_document, place) => isState(place),
    apply: (document, place) => into("always", last(place))(document, place),
  },
  { name: "an unknown node", fits: isKey("src"), apply: set("core.nothing") },
  { name: "a node named like a method", fits: isKey("src"), apply: set("constructor") },
  { name: "a node version that is not there", fits: isKey("invoke"), apply: into("version", 99) },
  { name: "a path that does not end", fits: isText, apply: set("$.a[") },
  { name: "a path of a state that is not there", fits: isText, apply: set("$.nobody_output.x") },
  { name: "a path through __proto__", fits: isText, apply: set("$.__proto__.polluted") },
  { name: "a template that does not close", fits: isText, apply: set("{{ $.a ") },
  { name: "a template in a template", fits: isText, apply: set("{{ {{ $.a }} }}") },
  { name: "an unknown pipe", fits: isText, apply: set("$.a | shout") },
  { name: "a CEL text that does not parse", fits: everywhere, apply: set({ $cel: "1 +" }) },
  { name: "CEL of another type", fits: everywhere, apply: set({ $cel: { a: 1 } }) },
  { name: "a nested comprehension", fits: everywhere, apply: set({ $cel: "[1].map(x, [1].map(y, [1].map(z, z)))" }) },
  { name: "a literal with a neighbour", fits: everywhere, apply: set({ $literal: 1, more: 2 }) },
  { name: "an operator that is not one", fits: isKey("operator"), apply: set("=~") },
  {
    name: "a pattern that backtracks",
    fits: isKey("guard"),
    apply: set({ type: "condition", params: { key: "$.n", operator: "matches", value: "(a+)+$" } }),
  },
  {
    name: "a pattern that is none",
    fits: isKey("guard"),
    apply: set({ type: "condition", params: { key: "$.n", operator: "matches", value: "(" } }),
  },
  { name: "guards a hundred deep", fits: isKey("guard"), apply: set(deepGuard(100)) },
  { name: "guards ten thousand deep", fits: isKey("guard"), apply: set(deepGuard(10_000)) },
  { name: "a value a thousand deep", fits: isKey("input"), apply: set({ value: deep(1_000) }) },
  { name: "a text of a megabyte", fits: isKey("label"), apply: set("x".repeat(1_048_576)) },
  { name: "a duration that is none", fits: isKey("after"), apply: set({ P1Y: "done" }) },
  { name: "a timer that overflows", fits: isKey("after"), apply: set({ "999999999999999999999": "done" }) },
  { name: "an event name that is none", fits: isKey("on"), apply: set({ "a b": "done" }) },
  { name: "a schema that leads nowhere", fits: isSchema, apply: set({ $ref: "#/$defs/none" }) },
  { name: "a schema that refers to itself", fits: isSchema, apply: set({ $ref: "#" }) },
  {
    name: "a schema with a broken pattern",
    fits: isSchema,
    apply: set({ type: "object", properties: { a: { pattern: "(" } } }),
  },
];

function isSchema(_document: Json, place: Place): boolean {
  return /^(payloadSchema|outputSchema)$/.test(last(place));
}

function deepGuard(depth: number): Json {
  let guard: Json = { type: "condition", params: { key: "$.n", operator: "exists" } };
  for (let level = 0; level < depth; level += 1) guard = { type: "not", guard };
  return guard;
}

function remove(document: Json, place: Place): Json {
  return changed(document, place, (holder, key) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  });
}

function wrap(document: Json, place: Place): Json {
  return changed(document, place, (holder, key) => put(holder, key, [valueAt(document, place) ?? null]));
}
