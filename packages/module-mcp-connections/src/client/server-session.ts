import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { getOwn, type JsonObject } from "@oven/contract";
import type { McpListedTool } from "@oven/contract/mcp";
import { startDeadline } from "@oven/module-registry";
import { linearValidator } from "@oven/module-workflows";
import { callLost, isCut } from "./call-lost.ts";
import { LegacyQuestions } from "./legacy-questions.ts";
import { type ListedTools, readTools } from "./list-tools.ts";
import { tookTooLong, toSessionError } from "./session-error.ts";

/** Reaches a server: over HTTP, or as a child process of the operator's choosing. */
export type Transport = Parameters<Client["connect"]>[0];

export interface SessionOptions {
  /** How the server is called in errors. */
  name: string;
  transport: Transport;
  /** How long the server may be silent; in a call a report of progress begins it anew. */
  timeoutMs: number;
  /** How long one call may take in all. */
  maxTotalMs: number;
  signal: AbortSignal;
  /** Why the answer to what was asked last broke off, if it did. */
  broken?(): unknown;
  /** Something is asked, and may take this many milliseconds in all. */
  begins?(maxTotalMs: number): void;
  /** The other side ended it. */
  ended?(): void;
  /** What was learnt about the server before: nothing is asked again. */
  prior?: Prior | undefined;
}

/** What a server said about itself, to be kept: the era it speaks, and in the newer one its description. */
export type Prior = NonNullable<NonNullable<Parameters<Client["connect"]>[1]>["prior"]>;

export interface ToolCallRequest {
  tool: McpListedTool;
  arguments: JsonObject;
  /** Answers to questions of the newer era, with the state that came with them. */
  inputResponses?: JsonObject;
  requestState?: string;
  /** Answers of the older era, by key. */
  legacyAnswers?: Readonly<Record<string, JsonObject>>;
  signal?: AbortSignal;
  /** Milliseconds, in place of those of the session. */
  timeoutMs?: number;
  maxTotalMs?: number;
  progress?(progress: number, total: number | undefined, message: string | undefined): void;
  /** The server asked for what it does not get. */
  refused?(method: string): void;
}

export type ToolCallAnswer =
  | { type: "result"; result: CallToolResult }
  | { type: "questions"; requests: JsonObject; requestState?: string }
  | { type: "legacy-question"; key: string; params: JsonObject };

export interface ServerSession {
  readonly era: "modern" | "legacy";
  readonly protocolVersion: string;
  readonly serverName: string | null;
  readonly instructions: string | null;
  readonly prior: Prior;
  listTools(): Promise<ListedTools>;
  callTool(request: ToolCallRequest): Promise<ToolCallAnswer>;
  /** Of this server only. @throws OvenError */
  readResource(uri: string): Promise<{ uri: string; mimeType?: string; text?: string; blob?: string }[]>;
  close(): Promise<void>;
}

const REFUSALS: Readonly<Record<string, string>> = {
  "sampling/createMessage": "OVEN does not lend its models to servers",
  "roots/list": "OVEN shows servers no files",
};
const IMPLEMENTATION = { name: "oven", title: "OVEN", version: "0.1.0" };
const GIVEN_UP = new Error("a person is asked");

/**
 * A conversation with a server, in whichever era it speaks.
 * @throws OvenError MCP_CONNECTION_FAILED, MCP_CONNECTION_UNAUTHORIZED, TOOL_TIMEOUT, OUTBOUND_*
 */
export async function openSession(options: SessionOptions): Promise<ServerSession> {
  const { name, transport, timeoutMs, signal, prior } = options;
  const client = new Client(IMPLEMENTATION, {
    capabilities: { elicitation: { form: {}, url: {} } },
    versionNegotiation: { mode: "auto" },
    inputRequired: { autoFulfill: false },
    // Never compiled to code: the server wrote these schemas.
    jsonSchemaValidator: linearValidator,
  });
  const fail = (error: unknown, waitedMs = timeoutMs) =>
    toSessionError(error, { name, timeoutMs: waitedMs, broken: options.broken?.() });
  let questions = new LegacyQuestions({});
  let giveUp: () => void = () => undefined;
  let refused: ((method: string) => void) | undefined;
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    const answer = questions.ask(params as unknown as JsonObject); // cast: a request's params are JSON
    if (answer !== undefined) return answer as { action: "accept" | "decline" | "cancel" }; // cast: kept as it was answered
    giveUp();
    // The call is given up. "cancel" would be said in the name of a person who was not asked yet, and the session may go on: the server
    // must not wait for ever.
    throw new Error("A person is asked; the call is made again with the answer");
  });
  client.fallbackRequestHandler = async ({ method }) => {
    refused?.(method);
    throw new Error(getOwn(REFUSALS, method) ?? `OVEN does not answer ${method}`);
  };
  if (options.ended !== undefined) client.onclose = options.ended;
  try {
    await client.connect(transport, { timeout: timeoutMs, signal, ...(prior === undefined ? {} : { prior }) });
  } catch (error) {
    const told = fail(error);
    await client.close();
    throw told;
  }
  const era = client.getProtocolEra() === "modern" ? "modern" : "legacy";
  const discover = client.getDiscoverResult();
  return {
    era,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? "",
    serverName: client.getServerVersion()?.name ?? null,
    instructions: client.getInstructions() ?? null,
    prior: era === "modern" && discover !== undefined ? { kind: "modern", discover } : { kind: "legacy" },
    async listTools() {
      options.begins?.(options.maxTotalMs);
      try {
        return await readTools(client, { timeout: timeoutMs, signal });
      } catch (error) {
        throw fail(error);
      }
    },
    async callTool(request) {
      const stop = new AbortController();
      questions = new LegacyQuestions(request.legacyAnswers ?? {});
      refused = request.refused;
      giveUp = () => stop.abort(GIVEN_UP);
      const signals = [signal, stop.signal, ...(request.signal === undefined ? [] : [request.signal])];
      const silenceMs = request.timeoutMs ?? timeoutMs;
      const maxTotalMs = request.maxTotalMs ?? options.maxTotalMs;
      options.begins?.(maxTotalMs);
      const whole = startDeadline(maxTotalMs);
      signals.push(whole.signal);
      const brokenOff = watchBroken(options, stop);
      try {
        const result: unknown = await client.callTool(toParams(request), {
          signal: AbortSignal.any(signals),
          timeout: silenceMs,
          // The client looks at its own total only when progress arrives; `whole` bounds the call in any case.
          resetTimeoutOnProgress: true,
          allowInputRequired: true,
          toolDefinition: toDefinition(request.tool),
          onprogress: ({ progress, total, message }) => request.progress?.(progress, total, message),
        });
        return toAnswer(result as Record<string, unknown>); // cast: what the client has parsed
      } catch (error) {
        const { open } = questions;
        if (open !== undefined) return { type: "legacy-question", ...open };
        if (whole.signal.aborted) throw tookTooLong(name, maxTotalMs);
        const broken = options.broken?.();
        if (request.signal?.aborted !== true && isCut(error, broken)) throw callLost(name, broken ?? error);
        throw fail(error, silenceMs);
      } finally {
        whole.clear();
        brokenOff();
      }
    },
    async readResource(uri) {
      options.begins?.(options.maxTotalMs);
      try {
        const { contents } = await client.readResource({ uri }, { timeout: timeoutMs, signal, cacheMode: "bypass" });
        return contents;
      } catch (error) {
        throw fail(error);
      }
    },
    async close() {
      if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined)
        await endSession(transport);
      await client.close();
    },
  };
}

/** Servers of the older era keep something for each session until they are told. */
async function endSession(transport: StreamableHTTPClientTransport): Promise<void> {
  try {
    await transport.terminateSession();
  } catch (error) {
    // It is over for us either way, and the server forgets it by itself.
    if (!(error instanceof Error)) throw error;
  }
}

const LOOK_MS = 50;

/** The client waits on where an answer broke off; this ends its wait. */
function watchBroken({ broken }: SessionOptions, stop: AbortController): () => void {
  if (broken === undefined) return () => undefined;
  const timer = setInterval(() => {
    if (isBroken(broken)) stop.abort(new Error("the answer broke off"));
  }, LOOK_MS);
  return () => clearInterval(timer);
}

function isBroken(broken: () => unknown): boolean {
  return broken() !== undefined;
}

function toParams({ tool, arguments: given, inputResponses, requestState }: ToolCallRequest) {
  return {
    name: tool.name,
    arguments: given,
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  } as Parameters<Client["callTool"]>[0]; // cast: the answers are JSON that the server's own questions shaped
}

type Definition = NonNullable<NonNullable<Parameters<Client["callTool"]>[1]>["toolDefinition"]>;

/** Without the output's schema: the client would ask it of a question too. What is answered is checked by whoever called. */
function toDefinition({ name, description, inputSchema }: McpListedTool): Definition {
  return { name, description, inputSchema } as Definition; // cast: a schema that was read from a listing of this client
}

function toAnswer(result: Record<string, unknown>): ToolCallAnswer {
  if (result.resultType !== "input_required") return { type: "result", result: result as CallToolResult }; // cast: as parsed
  const { inputRequests = {}, requestState } = result;
  return {
    type: "questions",
    requests: JSON.parse(JSON.stringify(inputRequests)),
    ...(typeof requestState === "string" ? { requestState } : {}),
  };
}
