import { type Json, OvenError } from "@oven/contract";
import type { RunOptions } from "@oven/contract/run";
import {
  DEFAULT_MAX_STEPS,
  DEFAULT_MAX_TOOL_ITERATIONS,
  DEFAULT_TIMEOUT_MS,
  type Definition,
  isPathText,
  type State,
} from "@oven/contract/workflow";
import { parseDuration } from "../expressions/duration.ts";
import { compileValue } from "../expressions/value.ts";
import type { CatalogEntry, NodeCatalog } from "../ports.ts";
import { compileLoop, isFanOut, loopOf, toFanOutInvoke, toLoopInvoke } from "./compile-loop.ts";
import { contentHash } from "./content-hash.ts";
import { toPartDefinition } from "./loop-part.ts";
import { type CompiledMachine, type MachineNode, toMachine } from "./machine.ts";
import { toPartial } from "./partial.ts";
import { passDisabled } from "./pass-disabled.ts";
import { readsDecision } from "./reads-decision.ts";
import type { CompiledInvoke, CompiledTimer, RetryPolicy, StateInfo } from "./state-info.ts";

const DEFAULT_RETRY: RetryPolicy = { maxAttempts: 3, backoff: "exponential", initialMs: 1_000, maxMs: 60_000 };

export interface CompileOptions {
  /** The loop whose body is compiled instead of the whole. */
  part?: string | null;
  /** Whether the log keeps what each move was made of: without it a run cannot be retried, forked or gone through again. */
  checkpoints?: boolean;
  /** Where the run begins, and which outputs are given. */
  options?: RunOptions | null;
}

/**
 * A definition as a plain XState machine and what the plan needs beside it. The definition must have passed
 * `validateDefinition`.
 * @throws OvenError UNKNOWN_NODE, STATE_UNKNOWN; ExpressionSyntaxError
 */
export function compileDefinition(
  given: Definition,
  installed: NodeCatalog,
  { part = null, checkpoints = true, options = null }: CompileOptions = {},
): CompiledMachine {
  const { definition, catalog } = toPartial(
    passDisabled(given),
    installed,
    part === null ? options : toPartOptions(options),
  );
  const states = new Map<string, StateInfo>();
  const maxToolIterations = definition.maxToolIterations ?? DEFAULT_MAX_TOOL_ITERATIONS;
  const top = part === null ? definition : toPartDefinition(definition, part);
  const root = toInfo("", "root", { on: top.on }, undefined, { row: undefined, loop: undefined });

  function build(key: string, prefix: string, state: State, parent: StateInfo, around: Around): MachineNode {
    const info = toInfo(prefix + key, kindOf(state), state, parent, around);
    states.set(info.id, info);
    const node: MachineNode = { info, key, state, prefix, initial: state.initial, children: [] };
    if (isFanOut(state.loop)) buildFanOut(info, state);
    else if (state.loop) buildLoop(node, state, around);
    else if (state.invoke) {
      const entry = catalog.get(state.invoke.src, state.invoke.version);
      if (!entry) {
        throw new OvenError(
          "UNKNOWN_NODE",
          `State ${info.id} uses the node ${state.invoke.src}, which is not installed`,
          {
            fix: "Install the module that offers it, or choose another node.",
            path: `$.states.${info.id}.invoke.src`,
          },
        );
      }
      info.invoke = compileInvoke(info.id, state, entry, around.retry);
      if (entry.expand) expand(node, entry, state, around);
    }
    for (const [childKey, child] of Object.entries(state.states ?? {})) {
      node.children.push(build(childKey, prefix, child, info, around));
    }
    return node;
  }

  function expand(node: MachineNode, entry: CatalogEntry, state: State, around: Around): void {
    const { info } = node;
    const expansion = entry.expand?.({ stateId: info.id, input: state.invoke?.input ?? {}, maxToolIterations });
    if (!expansion) return;
    info.kind = "composite";
    info.output = compileValue(expansion.output);
    info.visits = expansion.visits;
    node.initial = expansion.initial;
    const retry = state.invoke?.retry ? info.invoke?.retry : undefined;
    for (const [key, inner] of Object.entries(expansion.states)) {
      node.children.push(build(key, `${info.id}.`, inner, info, { row: info, loop: around.loop, retry }));
    }
  }

  function buildFanOut(info: StateInfo, state: State): void {
    const loop = loopOf(state);
    if (!loop) return;
    info.looping = compileLoop(loop);
    info.invoke = toFanOutInvoke(loop);
  }

  /** `next` decides whether another iteration begins, `body` is one iteration, `end` completes the loop. */
  function buildLoop(node: MachineNode, state: State, around: Around): void {
    const { info, prefix } = node;
    const loop = loopOf(state);
    if (!loop) return;
    info.looping = compileLoop(loop);
    info.invoke = toLoopInvoke(loop);
    node.initial = "next";
    const inside: Around = { row: info, loop: info, retry: around.retry };
    const add = (key: "next" | "body" | "end", inner: State): MachineNode => {
      const part = toInfo(`${info.id}.${key}`, key, inner, info, inside);
      states.set(part.id, part);
      const child: MachineNode = { info: part, key, state: inner, prefix, initial: inner.initial, children: [] };
      node.children.push(child);
      return child;
    };
    add("next", {});
    const body = add("body", { initial: loop.bodyInitial });
    add("end", { type: "final" });
    for (const [key, inner] of Object.entries(loop.bodyStates)) {
      body.children.push(build(key, prefix, inner, body.info, inside));
    }
  }

  const nowhere: Around = { row: undefined, loop: undefined };
  const children = Object.entries(top.states).map(([key, state]) => build(key, "", state, root, nowhere));
  return toMachine({
    root: {
      info: root,
      key: "",
      state: {
        entry: top.entry,
        on: top.on,
        type: top.type === "parallel" ? "parallel" : undefined,
      },
      prefix: "",
      initial: top.initial,
      children,
    },
    states,
    hash: contentHash(definition as unknown as Record<string, Json>), // cast: a definition is JSON
    variables: definition.context ?? {},
    outputSchema: top.outputSchema,
    maxSteps: definition.maxSteps ?? DEFAULT_MAX_STEPS,
    timeoutMs: top.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxTokens: definition.maxTokens,
    maxCostMicros: definition.maxCostMicros,
    checkpoints,
    part,
    settings: {
      agentConfig: definition.agentConfig ?? {},
      memoryConfig: definition.memoryConfig ?? {},
      maxToolIterations,
      streamingEnabled: definition.streamingEnabled ?? true,
    },
  });
}

/** A pass of a loop begins at its beginning; pins hold in it, too. */
function toPartOptions(options: RunOptions | null): RunOptions | null {
  return options?.pins ? { pins: options.pins } : null;
}

/** What a state stands in. */
interface Around {
  row: StateInfo | undefined;
  loop: StateInfo | undefined;
  /** The retry policy of the composite around it. */
  retry?: RetryPolicy | undefined;
}

function toInfo(
  id: string,
  kind: StateInfo["kind"],
  state: State,
  parent: StateInfo | undefined,
  { row, loop }: Around,
): StateInfo {
  const info: StateInfo = {
    id,
    kind,
    label: state.label,
    parent,
    children: [],
    row,
    loop,
    invoke: undefined,
    looping: undefined,
    output: state.output === undefined ? undefined : compileValue(state.output),
    outcome: state.outcome,
    undo: state.undo,
    on: Object.keys(state.on ?? {}),
    after: Object.keys(state.after ?? {}).map((key) => ({
      ...compileTimer(key),
      ...(state.afterActive === true ? { active: true } : {}),
    })),
    visits: undefined,
  };
  parent?.children.push(info);
  return info;
}

function compileTimer(key: string): CompiledTimer {
  return { key, milliseconds: parseDuration(/^\d+$/.test(key) ? Number(key) : key) };
}

function kindOf(state: State): StateInfo["kind"] {
  if (state.loop) return isFanOut(state.loop) ? "fanOut" : "loop";
  if (state.type === "history") return "history";
  if (state.type === "final") return "final";
  if (state.type === "parallel") return "parallel";
  if (state.states) return "compound";
  return state.invoke ? "node" : "plain";
}

function compileInvoke(
  id: string,
  state: State,
  entry: CatalogEntry,
  inherited: RetryPolicy | undefined,
): CompiledInvoke {
  const rawInput = state.invoke?.input ?? {};
  return {
    src: entry.id,
    version: entry.version,
    effect: entry.effect,
    input: entry.expand
      ? []
      : Object.entries(rawInput).map(([key, value]) => [key, compileValue(asText(entry, key, value))] as const),
    rawInput,
    retry: compileRetry(state, entry, inherited),
    timeoutMs: state.invoke?.timeoutMs ?? (entry.expand ? undefined : entry.timeoutMs),
    readsDecision: readsDecision(state.invoke?.onDone, id),
  };
}

/** A path in an input that takes paths stays a text, and so does any text in an input that is taken as it is written. */
function asText({ paths = [], verbatim = [] }: CatalogEntry, key: string, value: Json): Json {
  if (typeof value !== "string") return value;
  return verbatim.includes(key) || (paths.includes(key) && isPathText(value)) ? { $literal: value } : value;
}

/** The state's own policy, else that of the composite around it, else the node's; at-most-once is never repeated. */
function compileRetry(state: State, entry: CatalogEntry, inherited: RetryPolicy | undefined): RetryPolicy {
  const base: RetryPolicy = { ...DEFAULT_RETRY, ...defined(entry.retry) };
  const policy: RetryPolicy = state.invoke?.retry ? { ...base, ...defined(state.invoke.retry) } : (inherited ?? base);
  return entry.effect === "at-most-once" && !entry.expand ? { ...policy, maxAttempts: 1 } : policy;
}

function defined<T extends object>(value: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(value ?? {}).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }; // cast: undefined members are gone
}
