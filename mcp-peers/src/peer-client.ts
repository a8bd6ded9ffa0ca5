/** Where an OVEN is, and as whom it is called. */
export interface Target {
  /** Of the MCP server that OVEN makes of a workflow. */
  url: string;
  key: string;
  /** The command that passes messages between stdin, stdout and that address, in words as a shell has them. */
  bridge: string[];
  /** An empty directory, for what a client writes down. */
  directory: string;
  /** What the person at the client answers when it is asked about a review. */
  answer(message: string): Elicited;
}

export type Elicited = { action: "accept"; content: Record<string, string> } | { action: "decline" };

export interface ToolAnswer {
  isError: boolean;
  /** All that a model would read of the answer. */
  text: string;
  /** What the client hands on as an object: `structuredContent`, or the text read as JSON where its API has no more. */
  value: unknown;
}

/** One client of MCP, as its own API or command line offers it. */
export interface PeerClient {
  /** Whether its API lets a program answer questions of a server. */
  canBeAsked: boolean;
  names(): Promise<string[]>;
  call(tool: string, given: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export type Connect = (target: Target) => Promise<PeerClient>;

interface Content {
  type: string;
  text?: unknown;
}
interface Result {
  isError?: boolean | undefined;
  content?: unknown;
  structuredContent?: unknown;
}

/** Of a result as the protocol has it. */
export function toToolAnswer(result: unknown): ToolAnswer {
  const { isError = false, content, structuredContent } = result as Result; // cast: the protocol's result of a call
  const parts = Array.isArray(content) ? (content as Content[]) : []; // cast: as above
  const text = parts.map((part) => (typeof part.text === "string" ? part.text : JSON.stringify(part))).join("\n");
  return { isError, text, value: structuredContent ?? toJson(text) };
}

/** Of a client that throws where a tool answers an error. */
export async function orThrown(call: () => Promise<ToolAnswer>): Promise<ToolAnswer> {
  try {
    return await call();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { isError: true, text, value: undefined };
  }
}

/** The first JSON object in a text; undefined: there is none. */
export function toJson(text: string): unknown {
  const from = text.indexOf("{");
  if (from < 0) return undefined;
  for (let to = text.lastIndexOf("}"); to > from; to = text.lastIndexOf("}", to - 1)) {
    try {
      return JSON.parse(text.slice(from, to + 1));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

export function bearer({ key }: Pick<Target, "key">): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}
