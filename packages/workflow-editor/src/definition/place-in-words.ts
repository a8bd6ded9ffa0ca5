import { type JsonObject, toLabel } from "@oven/contract";
import { t } from "@oven/i18n";
import { type Address, indexStates, readPath, type StatePlace } from "@oven/scope";

const LISTS: ReadonlySet<string> = new Set(["always", "onDone", "onError"]);

/** Where something stands in a definition, for people: "Choice, branch 2, condition". @param path `$.states.choice.always[1].guard` */
export function placeInWords(document: JsonObject, path: string): string {
  const keys = readPath(path)?.keys ?? [];
  const place = innermost(document, keys);
  if (place === undefined) return keys.length === 0 ? t("Workflow") : toLabel(String(keys[0]));
  return [nameOf(place), ...partsOf(keys.slice(place.address.length))].join(", ");
}

function innermost(document: JsonObject, keys: readonly (string | number)[]): StatePlace | undefined {
  const holds = ({ address }: { address: Address }) => address.every((key, index) => key === keys[index]);
  return indexStates(document)
    .list.filter(holds)
    .reduce<StatePlace | undefined>(
      (found, place) => (place.address.length > (found?.address.length ?? -1) ? place : found),
      undefined,
    );
}

function nameOf({ id, state }: StatePlace): string {
  return typeof state.label === "string" && state.label !== "" ? state.label : id;
}

function partsOf(keys: readonly (string | number)[]): string[] {
  const parts: string[] = [];
  for (let at = 0; at < keys.length; at += 1) {
    const [key, next] = [keys[at], keys[at + 1]];
    if (typeof key !== "string") continue;
    if (LISTS.has(key)) parts.push(t("branch {{number}}", { number: typeof next === "number" ? next + 1 : 1 }));
    else if (key === "guard") {
      parts.push(t("condition"));
      break;
    } else if (key === "actions")
      parts.push(t("action {{number}}", { number: typeof next === "number" ? next + 1 : 1 }));
    else if ((key === "on" || key === "after") && typeof next === "string") {
      parts.push(next);
      at += 1;
    } else if (!["invoke", "input", "loop", "params"].includes(key)) parts.push(toLabel(key));
  }
  return parts;
}
