import { toEventStream, toOvenError } from "@oven/module-registry";
import type { RunAnswer } from "../answers/run-answer.ts";
import { toOpenAiError } from "../errors/openai-errors.ts";
import { type Asked, begunResponse, toCalls, toMessage, toPart, toResponse } from "./to-response.ts";

/** A run as the typed events of a response. A client that goes away leaves the run going on. */
export function streamResponse(asked: Asked, running: RunAnswer, signal: AbortSignal): Response {
  return toEventStream(signal, async (write, watching) => {
    let sequence = 0;
    const send = (type: string, fields: object) => {
      write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`);
      sequence += 1;
    };
    const message = new MessageEvents(running, send);
    try {
      const begun = begunResponse(asked, running);
      send("response.created", { response: begun });
      send("response.in_progress", { response: begun });
      const answer = await running.follow((text) => message.add(text), watching);
      message.end();
      for (const [index, call] of toCalls(running, answer).entries()) {
        const output_index = index + (message.text === "" ? 0 : 1);
        const place = { item_id: call.id, output_index };
        send("response.output_item.added", { output_index, item: { ...call, arguments: "", status: "in_progress" } });
        send("response.function_call_arguments.delta", { ...place, delta: call.arguments });
        send("response.function_call_arguments.done", { ...place, name: call.name, arguments: call.arguments });
        send("response.output_item.done", { output_index, item: call });
      }
      const response = { ...toResponse(asked, running, answer, message.text), created_at: begun.created_at };
      send(END[response.status], { response });
    } catch (error) {
      const { message: words, code, param } = toOpenAiError(toOvenError(error)).error;
      send("error", { message: words, code, param });
    }
  });
}

/** There is none for a cancelled run. */
const END = {
  completed: "response.completed",
  incomplete: "response.incomplete",
  in_progress: "response.incomplete",
  failed: "response.failed",
  cancelled: "response.failed",
};

/** The one message of a response, as it is written. */
class MessageEvents {
  text = "";
  readonly #running: RunAnswer;
  readonly #send: (type: string, fields: object) => void;

  constructor(running: RunAnswer, send: (type: string, fields: object) => void) {
    this.#running = running;
    this.#send = send;
  }

  add(delta: string): void {
    if (this.text === "") {
      this.#send("response.output_item.added", { output_index: 0, item: toMessage(this.#running) });
      this.#send("response.content_part.added", { ...this.#place, part: toPart("") });
    }
    this.text += delta;
    this.#send("response.output_text.delta", { ...this.#place, delta, logprobs: [] });
  }

  end(): void {
    const { text } = this;
    if (text === "") return;
    this.#send("response.output_text.done", { ...this.#place, text, logprobs: [] });
    this.#send("response.content_part.done", { ...this.#place, part: toPart(text) });
    this.#send("response.output_item.done", { output_index: 0, item: toMessage(this.#running, text) });
  }

  get #place() {
    return { item_id: `msg_${this.#running.name}`, output_index: 0, content_index: 0 };
  }
}
