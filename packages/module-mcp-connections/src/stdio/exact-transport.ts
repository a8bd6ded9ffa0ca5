import { ReadBuffer } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { exactMessage } from "../client/long-numbers.ts";

const NEWLINE = 0x0a;

/** Takes lines for the client to parse once each is whole, and rewrites them. */
class ExactReadBuffer extends ReadBuffer {
  #rest = Buffer.alloc(0);
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    super({ maxBufferSize: maxBytes });
    this.#maxBytes = maxBytes;
  }

  override append(chunk: Buffer): void {
    const all = Buffer.concat([this.#rest, chunk]);
    const end = all.lastIndexOf(NEWLINE) + 1;
    this.#rest = all.subarray(end);
    // The client's own limit, which ends the conversation.
    if (this.#rest.length > this.#maxBytes) super.append(this.#rest);
    if (end > 0) super.append(Buffer.from(all.toString("utf8", 0, end).split("\n").map(exactMessage).join("\n")));
  }

  override clear(): void {
    this.#rest = Buffer.alloc(0);
    super.clear();
  }
}

type Parameters = ConstructorParameters<typeof StdioClientTransport>[0];

/** A child process whose long numbers are not rounded (`exactMessage`). */
export function createExactTransport(parameters: Parameters & { maxBufferSize: number }): StdioClientTransport {
  const transport = new StdioClientTransport(parameters);
  // The client takes no buffer of another's. A test turns red when it keeps its own elsewhere.
  Reflect.set(transport, "_readBuffer", new ExactReadBuffer(parameters.maxBufferSize));
  return transport;
}
