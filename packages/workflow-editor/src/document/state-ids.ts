import { isObject, isStateId, type JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { indexStates } from "@oven/scope";

const RESULT = /_(output|error)$/;

/** Why a name cannot be the id of a state here, beside those in `taken`; null when it can. */
export function refuseStateId(id: string, taken: ReadonlySet<string>): string | null {
  if (id === "") return t("Give it a name");
  if (!isStateId(id))
    return t(
      "A letter or _ first, then up to 63 letters, digits, _ or -; and none of the reserved names such as trigger or context",
    );
  if (taken.has(id)) return t("{{id}} is used already", { id });
  const owner = id.replace(RESULT, "");
  if (owner !== id && taken.has(owner)) return t("{{id}} is where the result of {{owner}} is read", { id, owner });
  if (taken.has(`${id}_output`) || taken.has(`${id}_error`))
    return t("{{id}}_output or {{id2}}_error is used already", { id, id2: id });
  return null;
}

/** Names that a new state may not have. */
export function takenIds(document: JsonObject): Set<string> {
  const context = isObject(document.context) ? Object.keys(document.context) : [];
  return new Set([...indexStates(document).list.map(({ id }) => id), ...context]);
}

/** An id that is free, made from a wish: `agent.humanReview` becomes `humanReview`, the next one `humanReview_2`. */
export function freeStateId(wish: string, taken: ReadonlySet<string>): string {
  const last = wish.split(".").at(-1) ?? wish;
  const cleaned = last
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^[^A-Za-z_]+/, "")
    .slice(0, 56);
  const base = refuseStateId(cleaned, new Set()) === null ? cleaned : "step";
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? base : `${base.replace(/_\d+$/, "")}_${count}`;
    if (refuseStateId(id, taken) === null) return id;
  }
}
