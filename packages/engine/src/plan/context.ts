import { type Json, type JsonObject, type JsonPatchOp, OvenError } from "@oven/contract";
import { getOwn, isObject, setOwn } from "../expressions/json-access.ts";
import { type RunContext, TRIGGER, VARIABLE } from "../expressions/scope.ts";
import type { ContextOp, ContextSnapshot, LogEntry, StoredOutput } from "../store.ts";

/*
 * The context is immutable with structural sharing: applying a patch copies the objects on its path and nothing
 * else, so an earlier snapshot stays what it was and no step pays for the whole.
 */

/** Before the first step: the definition's variables, then the trigger payload's keys. */
export function initialContext(variables: JsonObject, trigger: Json): RunContext {
  const writers = new Map<string, string>();
  const values: JsonObject = { messages: [], toolCalls: [], toolResults: [], ...variables };
  for (const key of Object.keys(variables)) writers.set(key, VARIABLE);
  if (isObject(trigger)) {
    for (const key of Object.keys(trigger)) writers.set(key, TRIGGER);
    const messages = getOwn(trigger, "messages");
    if (Array.isArray(messages) && messages.every(isMessage)) values.messages = messages;
  }
  for (const key of ["messages", "toolCalls", "toolResults"]) writers.set(key, VARIABLE);
  return { values, writers };
}

function isMessage(value: Json): boolean {
  return (
    isObject(value) &&
    typeof value.role === "string" &&
    (typeof value.content === "string" || Array.isArray(value.content))
  );
}

/** @param outputOf gives the output that an `output` op refers to */
export function applyOps(
  context: RunContext,
  ops: readonly ContextOp[],
  outputOf: (nodeId: string, visit: number) => Json,
): RunContext {
  if (ops.length === 0) return context;
  let values = context.values;
  const writers = new Map(context.writers);
  for (const op of ops) {
    const pointer = parsePointer(op.path);
    const root = pointer[0];
    if (root === undefined)
      throw new OvenError("PATCH_INVALID", "A patch may not replace the whole context", { status: 500 });
    if (op.op === "output") {
      const output = outputOf(op.nodeId, op.visit);
      values = patched(values, pointer, { op: "add", path: op.path, value: output });
      noteOutput(writers, op.nodeId, output);
    } else {
      values = patched(values, pointer, op);
      if (op.op === "remove" && pointer.length === 1) writers.delete(root);
      else writers.set(root, VARIABLE);
    }
  }
  return { values, writers };
}

/** A node's output writes each of its keys; keys its last visit wrote and this one does not are given up. */
function noteOutput(writers: Map<string, string>, nodeId: string, output: Json): void {
  if (nodeId.includes(".")) return;
  for (const [key, writer] of writers) if (writer === nodeId) writers.delete(key);
  if (isObject(output)) for (const key of Object.keys(output)) writers.set(key, nodeId);
}

export function parsePointer(pointer: string): string[] {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) throw invalid(pointer, "does not start with /");
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function toPointer(segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function patched<T extends Json>(target: T, pointer: readonly string[], op: JsonPatchOp): T {
  const [segment = "", ...rest] = pointer;
  if (Array.isArray(target)) {
    const copy = [...target];
    const index = segment === "-" ? copy.length : toIndex(segment, op.path);
    if (rest.length > 0) {
      if (index >= copy.length) throw invalid(op.path, `has no item ${segment}`);
      copy[index] = patched(copy[index] ?? null, rest, op);
    } else if (op.op === "add") {
      if (index > copy.length) throw invalid(op.path, `is beyond the end of the list`);
      copy.splice(index, 0, op.value);
    } else {
      if (index >= copy.length) throw invalid(op.path, `has no item ${segment}`);
      if (op.op === "remove") copy.splice(index, 1);
      else copy[index] = op.value;
    }
    return copy as Json as T; // cast: a list stays a list
  }
  if (!isObject(target)) throw invalid(op.path, "goes through something that is neither an object nor a list");
  const copy: JsonObject = { ...target };
  if (rest.length > 0) {
    const child = getOwn(copy, segment);
    if (child === undefined) throw invalid(op.path, `has no key ${segment}`);
    setOwn(copy, segment, patched(child, rest, op));
  } else if (op.op === "remove") delete copy[segment];
  else setOwn(copy, segment, op.value);
  return copy as Json as T; // cast: an object stays an object
}

function toIndex(segment: string, path: string): number {
  if (!/^(0|[1-9]\d*)$/.test(segment)) throw invalid(path, `${segment} is not an index`);
  return Number(segment);
}

function invalid(path: string, reason: string): OvenError {
  return new OvenError("PATCH_INVALID", `The patch at ${path} ${reason}`, {
    fix: "Patch what exists, or add its parent first.",
    details: { path },
  });
}

/** The context at the end of `log`, from a snapshot or from the beginning. */
export function foldLog(start: RunContext, log: readonly LogEntry[], outputs: readonly StoredOutput[]): RunContext {
  return applyOps(
    start,
    log.flatMap((entry) => entry.ops),
    outputsBy(outputs),
  );
}

/** Gives the outputs that a log refers to. */
export function outputsBy(outputs: readonly StoredOutput[]): (nodeId: string, visit: number) => Json {
  const byRun = new Map(outputs.map((row) => [`${row.nodeId} ${row.visit}`, row.output]));
  return (nodeId, visit) => {
    const output = byRun.get(`${nodeId} ${visit}`);
    if (output === undefined)
      throw new OvenError(
        "LOG_INCOMPLETE",
        `The log refers to the output of ${nodeId}, visit ${visit}, which is not stored`,
        { status: 500 },
      );
    return output;
  };
}

/**
 * The stored form of a context.
 * @param seq number of the commit after which it holds
 */
export function toSnapshot(context: RunContext, seq: number): ContextSnapshot {
  const writers: Record<string, string> = {};
  for (const [key, writer] of context.writers) setOwn(writers, key, writer);
  return { seq, values: context.values, writers };
}

/** The context of a run from its stored form. */
export function fromSnapshot(snapshot: ContextSnapshot): RunContext {
  return { values: snapshot.values, writers: new Map(Object.entries(snapshot.writers)) };
}
