import { createHash } from "node:crypto";
import { type Json, type JsonObject, type NodeResult, OvenError } from "@oven/contract";
import type { CompiledMachine } from "../compile/machine.ts";
import { isObject } from "../expressions/json-access.ts";
import { readPath } from "../expressions/scope.ts";
import { loopVariables } from "../plan/loop-scope.ts";
import { expandInput } from "../plan/node-units.ts";
import type { RunSnapshot } from "../plan/plan-types.ts";
import type { Unit } from "../plan/run-state.ts";
import type { NodeCall, NodeCatalog, NodeRunner } from "../ports.ts";
import type { OutboxDraft, RunRecord } from "../store.ts";
import type { EventBuffer } from "./event-buffer.ts";
import type { UnitMemory } from "./unit-memory.ts";

export interface CallContext {
  record: RunRecord;
  compiled: CompiledMachine;
  workflowName: string;
  snapshot: RunSnapshot;
  memory: UnitMemory;
  buffer: EventBuffer;
  catalog: NodeCatalog;
  nodes: NodeRunner;
}

/** What a call gathered besides its result. */
export interface CallNotes {
  emits: OutboxDraft[];
  wroteText: boolean;
}

/** Calls one node: for the first time, after a wait, or for one item. @throws what the node threw */
export async function callNode(
  context: CallContext,
  unit: Unit,
  signal: AbortSignal,
  notes: CallNotes,
): Promise<NodeResult> {
  const { nodes, memory } = context;
  const call = toCall(context, unit, signal, notes);
  if (unit.resume) {
    const resume = unit.resume.type === "items" ? { type: "items" as const, items: memory.results(unit) } : unit.resume;
    return nodes.resume(call, resume);
  }
  if (unit.item === null) return nodes.run(call);
  if (!call.item)
    throw new OvenError("ITEM_LOST", `The request of item ${unit.item} of ${unit.nodeId} is not stored`, {
      status: 500,
    });
  return nodes.runItem(call, call.item);
}

function toCall(context: CallContext, unit: Unit, signal: AbortSignal, notes: CallNotes): NodeCall {
  const { record, compiled, snapshot, memory, buffer, workflowName } = context;
  const { nodeId, visit, attempt, item } = unit;
  const node = { executionId: record.id, kind: record.kind, nodeId, visit, attempt, item };
  const execution: JsonObject = {
    id: record.id,
    kind: record.kind,
    workflowId: record.workflowId,
    startedAt: snapshot.state.startedAt,
  };
  const overlay = loopVariables(compiled.states.get(nodeId), snapshot.state.loops ?? [], snapshot.context);
  const scope = { context: snapshot.context, trigger: record.input, execution, ...(overlay ? { overlay } : {}) };
  const own: JsonObject = item === null ? {} : { item };
  return {
    src: unit.src,
    version: unit.version,
    input: parseInput(context, unit),
    node,
    item: item === null ? null : (memory.request(unit, item) ?? null),
    principal: record.principal,
    signal,
    settings: { ...compiled.settings, workflowId: record.workflowId, workflowName },
    idempotencyKey: (ordinal = 0) =>
      createHash("sha256")
        .update(JSON.stringify([record.id, nodeId, visit, item, ordinal]))
        .digest("hex"),
    read: (path) => readPath(scope, path),
    emit: (event, payload) => void notes.emits.push({ name: event, custom: true, payload }),
    log: (level, message, data) =>
      buffer.add("log", { nodeId, visit, ...own, level, message, ...(data === undefined ? {} : { data }) }),
    text: (partId, chunk) => {
      notes.wroteText = true;
      buffer.text(node, partId, chunk);
    },
    event: (name, fields) => buffer.add(name, { nodeId, nodeType: unit.src, visit, attempt, ...own, ...fields }),
  };
}

/** The stored input with its references filled in, as the node's schema gives it. @throws OvenError INPUT_INVALID */
function parseInput({ catalog, memory, snapshot }: CallContext, unit: Unit): unknown {
  const entry = catalog.get(unit.src, unit.version);
  if (!entry) {
    throw new OvenError("NODE_UNAVAILABLE", `The node ${unit.src} in version ${unit.version} is not installed`, {
      fix: "Install the module that brings it.",
    });
  }
  const stored = memory.input(unit);
  const input: Json = expandInput(isObject(stored) ? stored : {}, snapshot.context.values.messages ?? []);
  const parsed = entry.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue && issue.path.length > 0 ? issue.path.map(String).join(".") : "input";
  throw new OvenError("INPUT_INVALID", `${path}: ${issue?.message ?? "does not fit"}`, {
    fix: `Correct the input of ${unit.nodeId}, or what the step before gives it.`,
    path: `$.states.${unit.nodeId}.invoke.input.${path}`,
  });
}
