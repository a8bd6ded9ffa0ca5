import { type JsonObject, lookalikesIn, spellOut } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import { isObject } from "../expressions/json-access.ts";
import type { PathPart, Problems } from "./problems.ts";
import type { Listed } from "./state-list.ts";

/** Warns of names that people take for each other where they read the definition, a path or a review. */
export function checkLookalikes(definition: Definition, states: readonly Listed[], problems: Problems): void {
  const named = (path: readonly PathPart[], name: string | undefined) => (name === undefined ? [] : [{ path, name }]);
  for (const places of [
    states.flatMap(({ id, path }) => named(path, id)),
    states.flatMap(({ state, path }) => named([...path, "label"], state.label)),
    Object.keys(definition.context ?? {}).flatMap((key) => named(["context", key], key)),
    Object.keys(propertiesOf(definition.payloadSchema)).flatMap((key) =>
      named(["payloadSchema", "properties", key], key),
    ),
  ]) {
    for (const [first, ...others] of lookalikesIn(places.map(({ name }) => name))) {
      for (const { path, name } of places.filter((place) => others.includes(place.name)))
        problems.warn(
          path,
          "lookalike-names",
          `“${spellOut(name)}” looks like “${spellOut(first ?? "")}”, and is another name`,
          "Rename one of them, so that people see which is meant.",
        );
    }
  }
}

function propertiesOf(schema: JsonObject | undefined): JsonObject {
  return isObject(schema?.properties) ? schema.properties : {};
}
