import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";

/** The settings of a group that are set, by the names that the API has for them. One that is switched off is not sent, as in n8n. */
export function fieldsOf(group: Given, names: Readonly<Record<string, string>>): JsonObject {
  const entries = Object.entries(names).flatMap(([name, own]): [string, Json][] => {
    const value = group.get(name);
    return value === undefined || value === false ? [] : [[own, value]];
  });
  return Object.fromEntries(entries);
}

/** What an app does, by its resource and operation. @throws NoEquivalent */
export function operationOf<T>(
  given: Given,
  known: Readonly<Record<string, T>>,
  defaults: { resource: string; operation: Readonly<Record<string, string>> },
): T {
  const resource = String(given.or("resource", defaults.resource));
  const operation = String(given.or("operation", defaults.operation[resource] ?? ""));
  const found = Object.hasOwn(known, `${resource}:${operation}`) ? known[`${resource}:${operation}`] : undefined;
  if (found === undefined) throw new NoEquivalent(`there is no node here that does ${resource}: ${operation}`);
  return found;
}
