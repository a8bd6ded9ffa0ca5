import { EventSourceParserStream } from "eventsource-parser/stream";

export interface ServerSentEvent {
  id: string | null;
  event: string;
  data: string;
}

/** The events of a `text/event-stream` body, until it ends or is aborted. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const text = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>); // cast: lib.dom types its input as BufferSource
  const reader = text.pipeThrough(new EventSourceParserStream()).getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      const { id = null, event = "message", data } = step.value;
      yield { id, event, data };
    }
  } finally {
    await reader.cancel();
  }
}
