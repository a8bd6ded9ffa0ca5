import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { type Dialect, listStates, type StateAt } from "./dialect.ts";

const PARTS = ["pathParams", "params", "body"];

/** `invoke.type`, `config` beside invoke, and inputs that are sorted into parts of a request. */
export function normalizeInvokes(dialect: Dialect): void {
  for (const at of listStates(dialect.definition)) {
    const { invoke } = at.state;
    if (!isObject(invoke)) continue;
    nameSource(at, invoke, dialect);
    takeConfig(at, invoke, dialect);
    joinParts(at, invoke, dialect);
  }
}

function nameSource({ path }: StateAt, invoke: JsonObject, { changes }: Dialect): void {
  if (typeof invoke.type !== "string" || invoke.src !== undefined) return;
  invoke.src = invoke.type;
  delete invoke.type;
  changes.push({ path: `${path}.invoke.type`, rule: "invoke-type" });
}

function takeConfig({ state, path }: StateAt, invoke: JsonObject, { changes }: Dialect): void {
  if (!isObject(state.config)) return;
  invoke.input = { ...state.config, ...(isObject(invoke.input) ? invoke.input : {}) };
  delete state.config;
  changes.push({ path: `${path}.config`, rule: "config-beside-invoke" });
}

function joinParts({ path }: StateAt, invoke: JsonObject, { accepts, changes }: Dialect): void {
  const { input, src } = invoke;
  if (!isObject(input) || typeof src !== "string") return;
  const isPart = (key: string) =>
    PARTS.includes(key) && isObject(input[key]) && !(accepts(src, key) ?? /^(core|agent|data)\./.test(src));
  const parts = Object.keys(input).filter(isPart);
  if (parts.length === 0) return;
  const joined: JsonObject = {};
  for (const part of parts) Object.assign(joined, input[part]);
  const own = Object.fromEntries(Object.entries(input).filter(([key]) => !parts.includes(key)));
  invoke.input = { ...joined, ...own };
  for (const part of parts) changes.push({ path: `${path}.invoke.input.${part}`, rule: "input-parts" });
}
