import { isObject } from "@oven/engine";
import { type Dialect, listStates } from "./dialect.ts";

/** `_meta`, where other editors keep positions, is `meta` here. */
export function keepPositions({ definition, changes }: Dialect): void {
  const owners = [
    { object: definition, path: "$" },
    ...listStates(definition).map(({ state, path }) => ({ object: state, path })),
  ];
  for (const { object, path } of owners) {
    const { _meta: foreign } = object;
    if (!isObject(foreign)) continue;
    object.meta = { ...foreign, ...(isObject(object.meta) ? object.meta : {}) };
    delete object._meta;
    changes.push({ path: `${path}._meta`, rule: "editor-meta" });
  }
}
