export interface ServerSentEvent {
  id: string | null;
  event: string;
  data: string;
}

/** Takes text in any chunks and gives the events that are complete. */
export function createEventParser(): (chunk: string) => ServerSentEvent[] {
  let rest = "";
  return (chunk) => {
    rest += chunk;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    return blocks.map(parseBlock).filter((event) => event !== null);
  };
}

function parseBlock(block: string): ServerSentEvent | null {
  let id: string | null = null;
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line === "" || line.startsWith(":")) continue;
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") id = value;
    if (field === "event") event = value;
    if (field === "data") data.push(value);
  }
  return data.length === 0 ? null : { id, event, data: data.join("\n") };
}

/** The events of a `text/event-stream` body, until it ends or is aborted. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const parse = createEventParser();
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader(); // cast: lib.dom types its input as BufferSource
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield* parse(step.value);
  } finally {
    await reader.cancel();
  }
}
