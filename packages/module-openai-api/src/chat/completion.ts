import { toEventStream, toOvenError } from "@oven/module-registry";
import type { Answer, RunAnswer } from "../answers/run-answer.ts";
import { toOpenAiError } from "../errors/openai-errors.ts";
import { runError } from "../errors/run-error.ts";
import { toCallId } from "../requests/call-ids.ts";
import type { Completion } from "./completion-shapes.ts";

/** A run as a chat completion. */
export function toCompletion(model: string, running: RunAnswer, answer: Answer): Completion {
  const { name } = running;
  const { text, usage, metadata } = answer;
  const calls = toCalls(running, answer);
  return {
    id: `chatcmpl-${name}`,
    object: "chat.completion",
    created: now(),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: calls.length > 0 && text === "" ? null : text,
          refusal: null,
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        finish_reason: calls.length === 0 ? "stop" : "tool_calls",
        logprobs: null,
      },
    ],
    usage: toUsage(usage),
    metadata,
  };
}

/** The same as chunks. A client that goes away leaves the run going on. */
export function streamCompletion(
  model: string,
  running: RunAnswer,
  { includeUsage, signal }: { includeUsage: boolean; signal: AbortSignal },
): Response {
  const base = { id: `chatcmpl-${running.name}`, object: "chat.completion.chunk", created: now(), model };
  const usageOf = (usage: object | null) => (includeUsage ? { usage } : {});
  return toEventStream(signal, async (write, watching) => {
    const send = (data: object) => write(`data: ${JSON.stringify(data)}\n\n`);
    const chunk = (delta: object, finish: "stop" | "tool_calls" | null = null, more: object = {}) =>
      send({
        ...base,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        ...usageOf(null),
        ...more,
      });
    try {
      chunk({ role: "assistant", content: "", refusal: null }, null, {
        metadata: { oven_run_id: String(running.run.id) },
      });
      const answer = await running.follow((content) => chunk({ content }), watching);
      const failure = runError(running.run, answer);
      if (failure === undefined) {
        const calls = toCalls(running, answer).map((call, index) => ({ index, ...call }));
        if (calls.length > 0) chunk({ tool_calls: calls });
        chunk({}, calls.length > 0 ? "tool_calls" : "stop", { metadata: answer.metadata });
        if (includeUsage) send({ ...base, choices: [], usage: toUsage(answer.usage) });
      } else send(failure);
    } catch (error) {
      send(toOpenAiError(toOvenError(error)));
    }
    write("data: [DONE]\n\n");
  });
}

type Call = NonNullable<Completion["choices"][number]["message"]["tool_calls"]>[number];

function toCalls({ run }: RunAnswer, { calls }: Answer): Call[] {
  return calls.map((call) => ({
    id: toCallId(run.id, call),
    type: "function",
    function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
  }));
}

function toUsage({ input, output, cached = 0, reasoning = 0 }: Answer["usage"]): Completion["usage"] {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
