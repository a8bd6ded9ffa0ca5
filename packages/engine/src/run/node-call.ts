import { createHash } from "node:crypto";
import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { NodeResult } from "@oven/contract/node";
import type { CompiledMachine } from "../compile/machine.ts";
import { PINNED_NODE } from "../compile/partial.ts";
import type { StateInfo } from "../compile/state-info.ts";
import { getOwn, isObject, setOwn } from "../expressions/json-access.ts";
import { expandLate } from "../expressions/late.ts";
import { readPath, type Scope } from "../expressions/scope.ts";
import { expandInput, lateInputs } from "../plan/node-units.ts";
import type { RunFacts, RunSnapshot } from "../plan/plan-types.ts";
import { toScope } from "../plan/run-scope.ts";
import type { Unit } from "../plan/run-state.ts";
import { type Clock, type ContentStore, type NodeCall, type NodeCatalog, type NodeRunner, readsOf } from "../ports.ts";
import type { OutboxDraft, RunRecord } from "../store.ts";
import { dryItem, dryRun } from "./dry-call.ts";
import type { EventBuffer } from "./event-buffer.ts";
import { closeFanOut, openFanOut } from "./fan-out.ts";
import type { UnitMemory } from "./unit-memory.ts";

export interface CallContext {
  record: RunRecord;
  facts: RunFacts;
  compiled: CompiledMachine;
  workflowName: string;
  snapshot: RunSnapshot;
  memory: UnitMemory;
  buffer: EventBuffer;
  catalog: NodeCatalog;
  nodes: NodeRunner;
  content: ContentStore | undefined;
  clock: Pick<Clock, "now">;
  /** Of a dry run: what the recorded run answered at the place of a call. */
  recorded(call: NodeCall): Promise<Json | undefined>;
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
  const { nodes, memory, compiled, facts } = context;
  if (unit.src === PINNED_NODE) return { type: "done", output: getOwn(facts.options?.pins ?? {}, unit.nodeId) ?? null };
  const state = compiled.states.get(unit.nodeId);
  if (state?.kind === "fanOut" && state.looping) {
    const { record, snapshot } = context;
    const fanOut = { loopId: state.id, looping: state.looping, record, input: memory.input(unit) };
    if (unit.resume) return closeFanOut(fanOut, memory.results(unit));
    return openFanOut(fanOut, scopeOf(facts, snapshot, state).overlay);
  }
  const call = toCall(context, unit, signal, notes, await parseInput(context, unit));
  if (unit.resume) {
    const resume = unit.resume.type === "items" ? { type: "items" as const, items: memory.results(unit) } : unit.resume;
    return nodes.resume(call, resume);
  }
  const dry = facts.options?.dryRun ? { nodes, catalog: context.catalog, recorded: context.recorded } : undefined;
  if (unit.item === null) return dry ? dryRun(dry, call, unit.effect) : nodes.run(call);
  if (!call.item)
    throw new OvenError("ITEM_LOST", `The request of item ${unit.item} of ${unit.nodeId} is not stored`, {
      status: 500,
    });
  return dry ? dryItem(dry, call, call.item, unit.effect) : nodes.runItem(call, call.item);
}

function toCall(context: CallContext, unit: Unit, signal: AbortSignal, notes: CallNotes, input: unknown): NodeCall {
  const { record, compiled, snapshot, memory, buffer, workflowName, facts } = context;
  const { nodeId, visit, attempt, item } = unit;
  const { id: executionId, rootId: rootExecutionId, kind } = record;
  const node = { executionId, rootExecutionId, kind, nodeId, visit, attempt, item };
  const scope = scopeOf(facts, snapshot, compiled.states.get(nodeId));
  const reads = readsOf(context.catalog.get(unit.src, unit.version), input);
  const own: JsonObject = item === null ? {} : { item };
  return {
    src: unit.src,
    version: unit.version,
    input,
    node,
    item: item === null ? null : (memory.request(unit, item) ?? null),
    principal: record.principal,
    isContinued: record.seq > 0,
    createdAt: record.createdAt,
    workflowVersion: record.workflowVersion,
    parentExecutionId: record.parent?.executionId ?? null,
    pinnedCalls: record.pinnedCalls ?? {},
    agent: record.agent,
    options: record.options,
    signal,
    now: () => context.clock.now(),
    settings: { ...compiled.settings, workflowId: record.workflowId, workflowName },
    idempotencyKey: (ordinal = 0) =>
      createHash("sha256")
        .update(JSON.stringify([record.id, nodeId, visit, item, ordinal]))
        .digest("hex"),
    read: (path) => {
      if (path !== "$.trigger" && !reads.includes(path)) throw undeclaredRead(unit.src, path);
      return readPath(scope, path);
    },
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

/** What a node reads besides its input decides whether a recorded answer of it still counts. */
function undeclaredRead(src: string, path: string): OvenError {
  return new OvenError("NODE_READS_UNDECLARED", `${src} reads ${path}, which its definition does not name`, {
    status: 500,
    fix: `Add "${path}" to \`reads\` of the node's definition.`,
  });
}

function scopeOf(facts: RunFacts, { context, state }: RunSnapshot, owner: StateInfo | undefined): Scope {
  return toScope(facts, state, context, owner, state.loops ?? []);
}

/** The stored input with its references filled in, as the node's schema gives it. @throws OvenError INPUT_INVALID */
async function parseInput(context: CallContext, unit: Unit): Promise<unknown> {
  const { catalog, memory, snapshot, content, record } = context;
  const entry = catalog.get(unit.src, unit.version);
  if (!entry) {
    throw new OvenError("NODE_UNAVAILABLE", `The node ${unit.src} in version ${unit.version} is not installed`, {
      fix: "Install the module that brings it.",
    });
  }
  const stored = memory.input(unit);
  const input: Json = expandInput(isObject(stored) ? stored : {}, snapshot.context.values.messages ?? []);
  for (const [key, late] of lateInputs(stored)) {
    const load = (reference: JsonObject): Promise<Json> => {
      if (content) return content.read(reference, record.tenantId);
      throw new OvenError("CONTENT_UNAVAILABLE", "This installation keeps no content beside its runs", { status: 500 });
    };
    if (isObject(input)) setOwn(input, key, await expandLate(late, load));
  }
  const parsed = entry.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue && issue.path.length > 0 ? issue.path.map(String).join(".") : "input";
  throw new OvenError("INPUT_INVALID", `${path}: ${issue?.message ?? "does not fit"}`, {
    fix: `Correct the input of ${unit.nodeId}, or what the step before gives it.`,
    path: `$.states.${unit.nodeId}.invoke.input.${path}`,
  });
}
