import type { Readable } from "node:stream";

const LINE_END = 0x0a;
/** A row with the largest file that a run may store takes some tens of megabytes. */
const MOST_BYTES = 268_435_456;

/**
 * The lines of a stream, without their ends, as many at a time as have come. Bytes, since a character may be cut in two between pieces;
 * only LF ends a line, for texts of rows may have other characters that count as line ends.
 * @throws Error when a line has more than 256 MiB
 */
export async function* splitLines(stream: Readable): AsyncGenerator<Buffer[]> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const lines: Buffer[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      pieces.push(chunk.subarray(from, end));
      lines.push(pieces.length === 1 ? (pieces[0] ?? chunk) : Buffer.concat(pieces));
      pieces = [];
      length = 0;
      from = end + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > MOST_BYTES) throw new Error(`a line has more than ${MOST_BYTES} bytes`);
    if (lines.length > 0) yield lines;
  }
  if (pieces.length > 0) yield [Buffer.concat(pieces)];
}
