import type { Json, JsonObject } from "../../../../packages/contract/src/index.ts";

/** Something wrong in a state, at a place that a validator or a run may name. */
export interface Blunder {
  kind: "field" | "node type" | "path" | "root" | "no way on" | "target" | "operator" | "value";
  /** Of the state at the top level that carries it. */
  top: string;
  /** Of the state itself, which may stand within a loop. */
  state: string;
  statePath: string;
  /** JSON path. */
  path: string;
  /** Puts it into a copy of the state at the top level. */
  apply(top: JsonObject): void;
}

/** Fields that steps cannot do without, and what a careless model calls them. */
const FIELDS: Record<string, readonly [right: string, wrong: string]> = {
  "core.http": ["url", "adress"],
  "agent.llm": ["prompt", "promt"],
  "agent.humanReview": ["show", "content"],
  "core.transform": ["mapping", "values"],
  "core.code": ["code", "source"],
  "core.waitForEvent": ["event", "name"],
  "core.callWorkflow": ["workflow", "slug"],
  "core.requestInput": ["schema", "form"],
  "tables.find": ["table", "name"],
  "tables.insert": ["rows", "values"],
  "tables.upsert": ["rows", "values"],
};
const OPERATORS: Record<string, string> = { ">": "=>", "==": "=", "!=": "<>", "<": "=<", ">=": "=>" };

type Way = readonly (string | number)[];
interface Place {
  top: string;
  state: string;
  /** From the state at the top level. */
  way: Way;
  value: JsonObject;
}

/** All blunders that can be made in these states. */
export function blundersIn(states: Record<string, JsonObject>): Blunder[] {
  return Object.entries(states).flatMap(([top, state]) =>
    placesIn(top, top, [], state).flatMap((place) => blundersOf(place)),
  );
}

function placesIn(top: string, state: string, way: Way, value: JsonObject): Place[] {
  const loop = asObject(value.loop);
  const inner = (from: string[], states: JsonObject) =>
    Object.entries(states).flatMap(([id, one]) => placesIn(top, id, [...way, ...from, id], asObject(one)));
  return [
    { top, state, way, value },
    ...inner(["states"], asObject(value.states)),
    ...inner(["loop", "bodyStates"], asObject(loop.bodyStates)),
  ];
}

function blundersOf({ top, state, way, value }: Place): Blunder[] {
  const statePath = toPath(["states", top, ...way]);
  const make = (kind: Blunder["kind"], at: Way, change: (parent: JsonObject, key: string) => void): Blunder => ({
    ...{ kind, top, state, statePath, path: toPath(["states", top, ...way, ...at]) },
    apply: (copy) => {
      const whole = [...way, ...at].map(String);
      const parent = whole.slice(0, -1).reduce<JsonObject>((one, key) => one[key] as JsonObject, copy); // cast: the way was found in it
      change(parent, whole.at(-1) ?? "");
    },
  });
  const invoke = asObject(value.invoke);
  const input = asObject(invoke.input);
  const found: Blunder[] = [];
  const field = FIELDS[String(invoke.src)];
  if (field !== undefined && input[field[0]] !== undefined)
    found.push(
      make("field", ["invoke", "input", field[0]], (parent, key) => {
        parent[field[1]] = parent[key] ?? null;
        delete parent[key];
      }),
    );
  if (typeof invoke.src === "string")
    found.push(
      make("node type", ["invoke", "src"], (parent, key) => Object.assign(parent, { [key]: `${parent[key]}er` })),
    );
  if (typeof invoke.onDone === "string")
    found.push(
      make("no way on", ["invoke", "onDone"], (parent, key) => {
        delete parent[key];
      }),
      make("target", ["invoke", "onDone"], (parent, key) => Object.assign(parent, { [key]: `${parent[key]}Step` })),
    );
  const own: JsonObject = { ...value, states: null, loop: withoutBody(asObject(value.loop)) };
  for (const { at, text } of textsIn(own, [])) {
    for (const [kind, wrong] of wrongPaths(text))
      found.push(make(kind, at, (parent, key) => Object.assign(parent, { [key]: wrong })));
    if (at.at(-1) === "operator" && OPERATORS[text] !== undefined)
      found.push(make("operator", at, (parent, key) => Object.assign(parent, { [key]: OPERATORS[text] ?? text })));
  }
  for (const at of guardValuesIn(own, []))
    found.push(make("value", at, (parent, key) => Object.assign(parent, { [key]: toWrong(parent[key] ?? null) })));
  return found;
}

/** A name that is a little off, and a root that other products have. */
function wrongPaths(text: string): [Blunder["kind"], string][] {
  const variants: [Blunder["kind"], string][] = [
    ["path", text.replace(/\$\.trigger\.(\w+)/, "$.trigger.$1Value")],
    ["path", text.replace(/\$\.(\w+)_output\./, "$.$1s_output.")],
    ["root", text.replace(/\$\.trigger\./, "$.input.")],
    ["root", text.replace(/\$\.(\w+)_output\./, "$.steps.$1.")],
  ];
  return variants.filter(([, wrong]) => wrong !== text);
}

function toWrong(value: Json): Json {
  if (typeof value === "number") return value * 10 + 7;
  return typeof value === "string" ? `${value}s` : !value;
}

function textsIn(value: Json, way: Way): { at: Way; text: string }[] {
  if (typeof value === "string") return [{ at: way, text: value }];
  if (Array.isArray(value)) return value.flatMap((one, index) => textsIn(one, [...way, index]));
  return Object.entries(asObject(value)).flatMap(([key, one]) => textsIn(one, [...way, key]));
}

/** Places of what conditions compare with. */
function guardValuesIn(value: Json, way: Way): Way[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => guardValuesIn(one, [...way, index]));
  const { type, params } = asObject(value);
  const own = asObject(params ?? null);
  if (type === "condition" && own.value !== undefined && own.value !== null) return [[...way, "params", "value"]];
  return Object.entries(asObject(value)).flatMap(([key, one]) => guardValuesIn(one, [...way, key]));
}

function withoutBody({ bodyStates: _body, ...loop }: JsonObject): JsonObject {
  return loop;
}

function asObject(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function toPath(way: Way): string {
  return way.reduce<string>((path, key) => (typeof key === "number" ? `${path}[${key}]` : `${path}.${key}`), "$");
}

/** Whether a problem that is named at `reported` is this one. */
export function isReported({ path, statePath }: Blunder, reported: string): boolean {
  const isWithin = (inner: string, outer: string) =>
    inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
  // A wrong name is reported at its own place beside the right one, so the parent counts as well.
  const parent = path.replace(/(\.[^.[]+|\[\d+\])$/, "");
  return isWithin(reported, parent) || (isWithin(path, reported) && isWithin(reported, statePath));
}
