import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { findState, setAt } from "@oven/scope";
import type { Edit, Refusal } from "../edit.ts";
import type { NewState } from "./add-state.ts";

/** Another node in the place of one: where it leads, its retries and its label stay; its input is that of the new one. */
export function replaceNode(document: JsonObject, id: string, { state: made }: NewState): Edit | Refusal {
  const place = findState(document, id);
  if (place === undefined) return { reason: t("There is no state {{id}}", { id }) };
  const { state, address } = place;
  if (!isObject(state.invoke) || !isObject(made.invoke))
    return { reason: t("Only a node can take the place of a node") };
  const { src: _src, input: _input, version: _version, ...kept } = state.invoke;
  return { document: setAt(document, [...address, "invoke"], { ...made.invoke, ...kept }), select: [id] };
}
