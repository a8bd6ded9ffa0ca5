import { AsyncLocalStorage } from "node:async_hooks";
import type { JsonObject } from "@oven/contract";

const fields = new AsyncLocalStorage<JsonObject>();

/** Calls `work`; whatever is written to the console meanwhile is about these ids, in logs of lines of JSON. */
export function withLogFields<T>(about: JsonObject, work: () => T): T {
  return fields.run({ ...fields.getStore(), ...about }, work);
}

/** What the present call is about, such as `{executionId, nodeId, tenantId}`; empty outside of any. */
export function currentLogFields(): JsonObject {
  return fields.getStore() ?? {};
}
