import { type Block, markdownBlocks, paragraphBlocks } from "./text-blocks.ts";

export interface Chunk {
  /** Exactly the document's text from `start` to `end`. */
  text: string;
  start: number;
  end: number;
  /** Headings above it, outermost first. */
  headings: string[];
}

export interface ChunkOptions {
  /** Characters a chunk has at most, code blocks apart. */
  size: number;
  /** Characters of the chunk before that a chunk begins with, when they are of the same section. */
  overlap: number;
}

/** About 200 tokens: a passage that says one thing, which is what sentence encoders are made for. */
const DEFAULT_CHUNKS: ChunkOptions = { size: 800, overlap: 120 };
/** A code block stays whole up to this many times the size. */
const CODE_FACTOR = 4;

/** Passages of a document, in order. No chunk spans two sections, and none is blank. */
export function chunkText(text: string, kind: "markdown" | "plain", options: ChunkOptions = DEFAULT_CHUNKS): Chunk[] {
  const blocks = kind === "markdown" ? markdownBlocks(text) : paragraphBlocks(text);
  const chunks: Chunk[] = [];
  let open: Chunk | undefined;
  const close = () => {
    if (open !== undefined) chunks.push(open);
    open = undefined;
  };
  for (const block of blocks.flatMap((block) => fit(text, block, options))) {
    const sameSection = open !== undefined && open.headings.join("\n") === block.headings.join("\n");
    if (open !== undefined && (!sameSection || block.end - open.start > options.size)) {
      const previous: Chunk = open;
      close();
      const start = sameSection ? overlapStart(text, previous, block, options) : block.start;
      open = { text: text.slice(start, block.end), start, end: block.end, headings: block.headings };
      continue;
    }
    const start = open?.start ?? block.start;
    open = { text: text.slice(start, block.end), start, end: block.end, headings: block.headings };
  }
  close();
  return chunks.filter((chunk) => chunk.text.trim() !== "");
}

/** Models count differently; four characters a token is near enough to plan with. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** A block that is too long, in pieces: at line ends for code, else at sentence ends, else at words. */
function fit(text: string, block: Block, { size }: ChunkOptions): Block[] {
  const longest = block.code ? size * CODE_FACTOR : size;
  const pieces: Block[] = [];
  let { start } = block;
  while (block.end - start > longest) {
    const cut = cutAt(text, start, start + longest, block.code);
    pieces.push({ ...block, start, end: cut });
    start = cut;
  }
  return [...pieces, { ...block, start }];
}

function cutAt(text: string, start: number, end: number, code: boolean): number {
  const piece = text.slice(start, end);
  const from = Math.floor(piece.length / 2);
  for (const ends of code ? [/\n/g] : [/\n/g, /[.!?。]\s/g, /\s/g]) {
    const last = [...piece.matchAll(ends)].findLast(({ index }) => index >= from);
    if (last !== undefined) return start + last.index + last[0].length;
  }
  // Never between the halves of one character.
  return /[\ud800-\udbff]$/.test(piece) ? end - 1 : end;
}

/** Where the chunk after `previous` begins: at the first word of its last sentence that fits the overlap. */
function overlapStart(text: string, previous: Chunk, next: Block, { size, overlap }: ChunkOptions): number {
  const room = Math.min(overlap, size - (next.end - next.start));
  if (room <= 0 || next.code) return next.start;
  const from = Math.max(previous.start, previous.end - room);
  const tail = text.slice(from, previous.end);
  const sentence = /[.!?。\n]\s+(?=\S)/.exec(tail);
  const word = /\s+(?=\S)/.exec(tail);
  const cut = sentence ?? word;
  return cut === null ? next.start : from + cut.index + cut[0].length;
}
