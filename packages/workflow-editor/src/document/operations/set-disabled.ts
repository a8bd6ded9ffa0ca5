import type { JsonObject } from "@oven/contract";
import { findState, removeAt, setAt } from "@oven/scope";

/** A state that is disabled stays in the graph and is passed over. All of them off when one is on, else on. */
export function toggleDisabled(document: JsonObject, ids: readonly string[]): JsonObject {
  const places = ids.flatMap((id) => findState(document, id) ?? []).filter(({ state }) => state.type !== "final");
  const disable = places.some(({ state }) => state.disabled !== true);
  return places.reduce(
    (changed, { address }) =>
      disable ? setAt(changed, [...address, "disabled"], true) : removeAt(changed, [...address, "disabled"]),
    document,
  );
}
