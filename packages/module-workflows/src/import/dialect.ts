import type { Json, JsonObject } from "@oven/contract";
import type { DefinitionChange } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";

/** Whether a node type takes an input of that name; undefined when the node type is not known. */
export type Accepts = (src: string, key: string) => boolean | undefined;

/** Fields of an aliased node's output that are called otherwise here: old name → new name and, in guards, new values. */
export interface FieldRename {
  /** Empty: the output itself. */
  to: string;
  values?: Record<string, Json>;
}

/** A document on its way to canonical form: the copy that the rules change, and what they did to it. */
export interface Dialect {
  definition: JsonObject;
  changes: DefinitionChange[];
  accepts: Accepts;
  /** By state id, then field. */
  renames: Map<string, Record<string, FieldRename>>;
}

export interface StateAt {
  id: string;
  state: JsonObject;
  path: string;
}

/** Every state, inner ones and those of loop bodies too, each with its place. */
export function listStates(owner: JsonObject, path = "$"): StateAt[] {
  const groups: [Json | undefined, string][] = [
    [owner.states, `${path}.states`],
    [isObject(owner.loop) ? owner.loop.bodyStates : undefined, `${path}.loop.bodyStates`],
  ];
  return groups.flatMap(([states, at]) =>
    Object.entries(isObject(states) ? states : {}).flatMap(([id, state]) =>
      isObject(state) ? [{ id, state, path: toPath(at, id) }, ...listStates(state, toPath(at, id))] : [],
    ),
  );
}

export interface ObjectAt {
  object: JsonObject;
  path: string;
}

/** Every transition that is written as an object. */
export function listTransitions(definition: JsonObject): ObjectAt[] {
  const owners: ObjectAt[] = [
    { object: definition, path: "$" },
    ...listStates(definition).map(({ state, path }) => ({ object: state, path })),
  ];
  return owners.flatMap(({ object, path }) => [
    ...["always", "onDone", "onError"].flatMap((key) => toObjects(object[key], `${path}.${key}`)),
    ...["on", "after"].flatMap((key) => {
      const table = object[key];
      return Object.entries(isObject(table) ? table : {}).flatMap(([event, transition]) =>
        toObjects(transition, toPath(`${path}.${key}`, event)),
      );
    }),
    ...["invoke", "loop"].flatMap((key) => {
      const inner = object[key];
      if (!isObject(inner)) return [];
      return ["onDone", "onError"].flatMap((end) => toObjects(inner[end], `${path}.${key}.${end}`));
    }),
  ]);
}

export function toObjects(value: Json | undefined, path: string): ObjectAt[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => toObjects(entry, `${path}[${index}]`));
  return isObject(value) ? [{ object: value, path }] : [];
}

export function toPath(path: string, key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

export function toList(value: Json | undefined): Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
