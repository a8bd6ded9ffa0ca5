import type { Answer, RunAnswer } from "../answers/run-answer.ts";
import { runError } from "../errors/run-error.ts";
import { toCallId } from "../requests/call-ids.ts";
import type { OpenAiResponse, OutputCall, OutputMessage } from "./response-shapes.ts";

/** What a response says of its request. */
export interface Asked {
  model: string;
  instructions: string | null;
  previousResponseId: string | null;
}

const STATUS = {
  completed: "completed",
  paused: "incomplete",
  running: "in_progress",
  failed: "failed",
  cancelled: "cancelled",
} as const;

/** A run as a response. @param text what was streamed, where that is more than the answer */
export function toResponse(asked: Asked, running: RunAnswer, answer: Answer, text = answer.text): OpenAiResponse {
  const { status, usage, metadata, calls } = answer;
  // What asks for the caller's tools has said all that it has to say for now.
  const isAsking = calls.length > 0;
  return {
    ...begunResponse(asked, running),
    status: isAsking ? "completed" : STATUS[status],
    output: [...(text === "" ? [] : [toMessage(running, text)]), ...toCalls(running, answer)],
    error: runError(running.run, answer)?.error ?? null,
    incomplete_details: status === "paused" && !isAsking ? { reason: toReason(metadata) } : null,
    metadata,
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached ?? 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
      total_tokens: usage.input + usage.output,
    },
  };
}

/** A run that has begun. */
export function begunResponse({ model, instructions, previousResponseId }: Asked, running: RunAnswer): OpenAiResponse {
  return {
    id: `resp_${running.name}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1_000),
    status: "in_progress",
    model,
    output: [],
    error: null,
    incomplete_details: null,
    instructions,
    previous_response_id: previousResponseId,
    metadata: { oven_run_id: String(running.run.id) },
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    temperature: null,
    top_p: null,
    usage: null,
  };
}

export function toMessage({ name }: RunAnswer, text?: string): OutputMessage {
  return {
    id: `msg_${name}`,
    type: "message",
    role: "assistant",
    status: text === undefined ? "in_progress" : "completed",
    content: text === undefined ? [] : [toPart(text)],
  };
}

export function toCalls(running: RunAnswer, { calls }: Answer): OutputCall[] {
  return calls.map((call, index) => ({
    id: `fc_${running.name}_${index}`,
    type: "function_call",
    call_id: toCallId(running.run.id, call),
    name: call.tool,
    arguments: JSON.stringify(call.arguments),
    status: "completed",
  }));
}

export function toPart(text: string): OutputMessage["content"][number] {
  return { type: "output_text", text, annotations: [] };
}

function toReason(metadata: Answer["metadata"]): string {
  return metadata.oven_review_id === undefined ? "waiting" : "review_required";
}
