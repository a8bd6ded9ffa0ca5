import type { Json } from "@oven/contract";
import { MessageSchema } from "@oven/contract/ai";
import type { Execution, RunEvent } from "@oven/contract/run";
import type { LiveText } from "../run/fold-run-events.ts";
import { type ShownMessage, toMessageText } from "./read-messages.ts";

/** A message and the step that added it. */
export interface SaidByStep {
  seq: number;
  nodeId: string;
  visit: number;
  message: ShownMessage;
}

/** What the steps of a run said and heard, from its log. */
export function toSaid(events: readonly RunEvent[]): SaidByStep[] {
  return events.flatMap(({ event, seq, nodeId, visit, message }) => {
    if (event !== "message.added") return [];
    const parsed = MessageSchema.safeParse(message);
    const shown: ShownMessage = parsed.success
      ? { ok: true, message: parsed.data }
      : { ok: false, raw: (message ?? null) as Json }; // cast: entries of the log are JSON
    return [{ seq, nodeId: String(nodeId ?? ""), visit: typeof visit === "number" ? visit : 1, message: shown }];
  });
}

/** Texts that are not a message yet. */
export function toUnsaid(writing: readonly LiveText[], said: readonly SaidByStep[]): LiveText[] {
  return writing.filter(
    (part) =>
      !said.some(
        ({ nodeId, visit, message }) =>
          nodeId === part.nodeId &&
          visit === part.visit &&
          message.ok &&
          message.message.role === "assistant" &&
          toMessageText(message.message.content) === part.text,
      ),
  );
}

/** What the run answered, where none of its steps has said just that; undefined: nothing more is to be shown. */
export function toAnswer(run: Pick<Execution, "status" | "output">, said: readonly SaidByStep[]): Json | undefined {
  if (run.status !== "completed" || run.output === null) return undefined;
  const { output } = run;
  const isObject = typeof output === "object" && !Array.isArray(output);
  const text = isObject && typeof output.text === "string" ? output.text : output;
  const isSaid = said.some(
    ({ message }) =>
      message.ok && message.message.role === "assistant" && toMessageText(message.message.content) === text,
  );
  return isSaid ? undefined : text;
}

/** What the user said, as the run got it. */
export function toAsked(input: Json): string {
  const message = typeof input === "object" && input !== null && !Array.isArray(input) ? input.message : undefined;
  return typeof message === "string" ? message : JSON.stringify(input);
}
