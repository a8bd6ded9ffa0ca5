import type { Json } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import { contentHash } from "../compile/content-hash.ts";
import { isObject } from "../expressions/json-access.ts";
import { toXStateJson } from "./xstate-json.ts";

/**
 * A valid definition as a TypeScript module for XState: the machine as `toXStateJson` gives it, with a type that names every
 * node, guard and action its host must provide.
 */
export function toTypeScript(definition: Definition): string {
  const config = toXStateJson(definition);
  const names: Names = { actors: new Set(), guards: new Set(), actions: new Set() };
  collect(config, names);
  const title = definition.name ?? definition.id ?? "workflow";
  return `/* ${comment(title)}, content hash ${contentHash(definition as unknown as Record<string, Json>)}. */
import { type AnyActorLogic, createMachine } from "xstate";

type Guard = (args: { context: Record<string, unknown>; event: { type: string } }, params: unknown) => boolean;
type Action = (args: { context: Record<string, unknown>; event: { type: string } }, params: unknown) => void;

/** What the host provides: nodes by name, guards and actions by type. */
export interface Implementations {
  actors: ${toRecordType(names.actors, "AnyActorLogic")};
  guards: ${toRecordType(names.guards, "Guard")};
  actions: ${toRecordType(names.actions, "Action")};
}

export const config = ${JSON.stringify(config, null, 2)} as const;

export function createWorkflowMachine(implementations: Implementations) {
  return createMachine(config as never).provide(implementations as never);
}
`;
}

interface Names {
  actors: Set<string>;
  guards: Set<string>;
  actions: Set<string>;
}

/** Keys under which data stands, which only looks like configuration. */
const DATA: ReadonlySet<string> = new Set(["input", "context", "params", "meta", "output"]);

function collect(json: Json, names: Names): void {
  if (Array.isArray(json)) {
    for (const item of json) collect(item, names);
    return;
  }
  if (!isObject(json)) return;
  for (const [key, value] of Object.entries(json)) {
    if (DATA.has(key)) continue;
    if (key === "guard") collectGuard(value, names);
    else if (key === "actions" || key === "entry" || key === "exit") collectTypes(value, names.actions);
    else if (key === "src" && typeof value === "string") names.actors.add(value);
    else collect(value, names);
  }
}

function collectGuard(guard: Json, { guards }: Names): void {
  if (isObject(guard) && typeof guard.type === "string") guards.add(guard.type);
}

function collectTypes(actions: Json, types: Set<string>): void {
  for (const action of Array.isArray(actions) ? actions : [actions])
    if (isObject(action) && typeof action.type === "string") types.add(action.type);
}

function toRecordType(names: ReadonlySet<string>, value: string): string {
  if (names.size === 0) return "Record<string, never>";
  return `{ ${[...names]
    .sort()
    .map((name) => `${JSON.stringify(name)}: ${value}`)
    .join("; ")} }`;
}

/** A comment ends only where it should. */
function comment(text: string): string {
  return text.replace(/\*\//g, "* /").replace(/[\r\n]+/g, " ");
}
