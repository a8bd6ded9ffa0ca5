import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { type Dialect, listStates, listTransitions, type ObjectAt, toObjects } from "./dialect.ts";
import { toPathText } from "./normalize-paths.ts";
import { renameValue } from "./rename-fields.ts";

interface GuardAt {
  owner: JsonObject;
  key: "guard" | "condition";
  path: string;
}

/** Guards without `params`, with `path` and `equals`, and keys without `$.`. */
export function normalizeGuards(dialect: Dialect): void {
  for (const { owner, key, path } of listGuards(dialect.definition)) {
    owner[key] = normalize(owner[key] ?? null, `${path}.${key}`, dialect);
  }
}

/** Documents of elsewhere compare "5" and 5 as equal. */
export function loosenGuards({ definition, changes }: Dialect): void {
  for (const { owner, key, path } of listGuards(definition)) {
    for (const { object: guard, path: at } of conditionsIn(owner[key] ?? null, `${path}.${key}`)) {
      const { operator } = isObject(guard.params) ? guard.params : {};
      if (guard.loose !== undefined || operator === "exists" || operator === "empty" || operator === "matches")
        continue;
      guard.loose = true;
      changes.push({ path: at, rule: "loose-equality" });
    }
  }
}

/** On transitions, on their actions and those of entry and exit, and as the condition of loops. */
function listGuards(definition: JsonObject): GuardAt[] {
  const transitions = listTransitions(definition);
  const states = listStates(definition).map(({ state, path }) => ({ object: state, path }));
  const actions = [
    ...transitions.flatMap(({ object, path }) => toObjects(object.actions, `${path}.actions`)),
    ...[{ object: definition, path: "$" }, ...states].flatMap(({ object, path }) => [
      ...toObjects(object.entry, `${path}.entry`),
      ...toObjects(object.exit, `${path}.exit`),
    ]),
  ];
  const guarded = [...transitions, ...actions]
    .filter(({ object }) => object.guard !== undefined)
    .map(({ object, path }): GuardAt => ({ owner: object, key: "guard", path }));
  const loops = states.flatMap(({ object: { loop }, path }): GuardAt[] =>
    isObject(loop) && loop.condition !== undefined ? [{ owner: loop, key: "condition", path: `${path}.loop` }] : [],
  );
  return [...guarded, ...loops];
}

function normalize(guard: Json, path: string, dialect: Dialect): Json {
  if (!isObject(guard)) return guard;
  const { type } = guard;
  if (type === "cel") return guard;
  if (type === "not") return { ...guard, guard: normalize(guard.guard ?? null, `${path}.guard`, dialect) };
  if (type === "all" || type === "any") {
    if (!Array.isArray(guard.guards)) return guard;
    return { ...guard, guards: guard.guards.map((inner, i) => normalize(inner, `${path}.guards[${i}]`, dialect)) };
  }
  return normalizeCondition(guard, path, dialect);
}

function normalizeCondition(given: JsonObject, path: string, { changes, renames }: Dialect): Json {
  if (given.type !== undefined && given.type !== "condition") return given;
  const isWrapped = isObject(given.params);
  const { type: _type, params: _params, loose, ...others } = given;
  const { key, path: place, operator, value, equals, ...rest } = isObject(given.params) ? given.params : others;
  const written = key ?? place;
  if (typeof written !== "string") return given;
  if (!isWrapped || given.type === undefined || place !== undefined || equals !== undefined) {
    changes.push({ path, rule: "guard-form" });
  }
  const keyPath = toPathText(written);
  if (keyPath !== written) changes.push({ path, rule: written.startsWith("$") ? "path-index" : "guard-key" });
  const wanted = value === undefined ? equals : value;
  return {
    type: "condition",
    params: {
      ...rest,
      key: keyPath,
      operator: operator ?? (equals === undefined ? "exists" : "=="),
      ...(wanted === undefined ? {} : { value: renameValue(keyPath, wanted, renames) }),
    },
    ...(loose === undefined ? {} : { loose }),
    ...(isWrapped ? others : {}),
  };
}

function conditionsIn(guard: Json, path: string): ObjectAt[] {
  if (!isObject(guard)) return [];
  if (guard.type === "condition") return [{ object: guard, path }];
  if (guard.type === "not") return conditionsIn(guard.guard ?? null, `${path}.guard`);
  return Array.isArray(guard.guards)
    ? guard.guards.flatMap((inner, index) => conditionsIn(inner, `${path}.guards[${index}]`))
    : [];
}
