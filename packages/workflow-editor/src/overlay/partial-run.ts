import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { findState, getAt, type StatePlace } from "@oven/scope";

/*
 * Where a run of a part of a graph may begin and end, as the engine sees it: inside groups, regions and the passes of a loop that
 * are run one by one, not in passes that are runs of their own.
 */

const NO_STATE = t("Select one state first");

/** Why a run cannot end after a state; null: it can. */
export function refuseEnd(document: JsonObject, id: string | undefined): string | null {
  const place = id === undefined ? undefined : findState(document, id);
  if (place === undefined) return NO_STATE;
  if (!isObject(place.state.invoke) && !isObject(place.state.loop)) return t("A run ends after a node or a loop");
  for (let { loop } = place; loop !== undefined; loop = loop.loop)
    if (isFanOut(loop))
      return t("The passes of {{id}} are runs of their own: end after {{id2}}", { id: loop.id, id2: loop.id });
  return null;
}

/** Why a run cannot begin at a state; null: it can. */
export function refuseBegin(document: JsonObject, id: string | undefined): string | null {
  const place = id === undefined ? undefined : findState(document, id);
  if (place === undefined) return NO_STATE;
  return place.loop === undefined
    ? null
    : t("A run cannot begin inside a loop: begin at {{id}}", { id: place.loop.id });
}

function isFanOut({ state }: StatePlace): boolean {
  const concurrency = getAt(state, ["loop", "concurrency"]);
  return getAt(state, ["loop", "type"]) === "forEach" && typeof concurrency === "number" && concurrency > 1;
}
