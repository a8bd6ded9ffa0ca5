import type { Json } from "@oven/contract";
import type { Execution, NodeRun } from "@oven/contract/run";
import { z } from "zod";

/** A program of a run, as its step keeps it, with the calls that it made. */
export interface ShownProgram {
  /** The step. */
  nodeId: string;
  program: string;
  /** How often the model has written it again. */
  corrections: number;
  /** In the order in which they were made; those of programs before this one as well. */
  calls: ShownCall[];
}

export interface ShownCall {
  key: number;
  tool: string;
  status: NodeRun["status"];
  /** What it was called with, and what came of it. */
  value: Json;
  result: Json;
  /** Null: it has not failed. */
  error: string | null;
}

const SCRATCH = ".scratch";
const ScratchSchema = z.looseObject({ program: z.string(), batches: z.array(z.json()), corrections: z.int() });
const CallSchema = z.looseObject({ tool: z.string() });
const OutcomeSchema = z.looseObject({ result: z.json().optional(), error: z.string().optional() });

/** The programs of a run's steps, from its context and its rows. */
export function readPrograms({ context, nodes }: Pick<Execution, "context" | "nodes">): ShownProgram[] {
  const values = typeof context === "object" && context !== null && !Array.isArray(context) ? context : {};
  return Object.entries(values).flatMap(([key, value]) => {
    const { data } = key.endsWith(SCRATCH) ? ScratchSchema.safeParse(value) : {};
    if (data === undefined) return [];
    const nodeId = key.slice(0, -SCRATCH.length);
    const rows = nodes.filter((row) => isCall(row, nodeId));
    const calls = rows.toSorted((one, other) => one.id - other.id).map(toCall);
    return [{ nodeId, program: data.program, corrections: data.corrections, calls }];
  });
}

/** An item of the step's tool executor, or a call of one of its own tools. */
function isCall({ nodeId, item }: NodeRun, step: string): boolean {
  if (!nodeId.startsWith(`${step}.`)) return false;
  const inner = nodeId.slice(step.length + 1);
  return item === null ? /^tool\d+$/.test(inner) : inner === "tools";
}

function toCall({ id, nodeType, status, input, output, error }: NodeRun): ShownCall {
  const called = CallSchema.safeParse(input).data;
  const outcome = OutcomeSchema.safeParse(output).data;
  return {
    key: id,
    tool: called?.tool ?? nodeType,
    status,
    value: outcome === undefined ? input : output,
    result: (outcome?.result ?? null) as Json, // cast: z.json is JSON
    error: outcome?.error ?? error,
  };
}
