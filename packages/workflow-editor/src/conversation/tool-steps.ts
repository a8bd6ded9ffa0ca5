import type { Json } from "@oven/contract";
import { MessageSchema } from "@oven/contract/ai";
import type { RunEvent } from "@oven/contract/run";

/** A call of a tool, as far as it is known. */
export interface ToolStep {
  id: string;
  tool: string;
  arguments: Json;
  /** Undefined: not yet, or not told. */
  result: Json | undefined;
  state: "running" | "done" | "failed";
  error: string | null;
  durationMs: number | null;
}

/** The calls of tools in the log of a run, in the order in which they began. */
export function toToolSteps(events: readonly RunEvent[]): ToolStep[] {
  const steps = new Map<string, ToolStep>();
  for (const event of events) {
    if (event.event === "message.added")
      for (const [id, result] of toResults(event.message)) change(steps, id, { result });
    const id = typeof event.toolCallId === "string" ? event.toolCallId : undefined;
    if (id === undefined) continue;
    const durationMs = typeof event.durationMs === "number" ? event.durationMs : null;
    if (event.event === "tool.started")
      steps.set(id, {
        id,
        tool: String(event.tool ?? ""),
        arguments: (event.arguments ?? null) as Json, // cast: entries of the log are JSON
        result: undefined,
        state: "running",
        error: null,
        durationMs: null,
      });
    else if (event.event === "tool.completed") change(steps, id, { state: "done", durationMs });
    else if (event.event === "tool.failed")
      change(steps, id, { state: "failed", durationMs, error: String(event.error ?? "") });
  }
  return [...steps.values()];
}

function change(steps: Map<string, ToolStep>, id: string, what: Partial<ToolStep>): void {
  const step = steps.get(id);
  if (step !== undefined) steps.set(id, { ...step, ...what });
}

function toResults(message: unknown): [string, Json][] {
  const parsed = MessageSchema.safeParse(message);
  if (!parsed.success || parsed.data.role !== "tool") return [];
  return parsed.data.content.map((part) => [part.toolCallId, part.output.value]);
}
