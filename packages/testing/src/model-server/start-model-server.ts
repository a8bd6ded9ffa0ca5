import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Json, JsonObject } from "@oven/contract";
import { toChunks, toCompletion } from "./completion-body.ts";
import type { ModelReply, ModelScript, RecordedRequest } from "./model-reply.ts";

export interface ModelServer {
  /** The base URL to configure: ends in `/v1`. */
  url: string;
  /** Every request to `/v1/chat/completions`, in order of arrival. */
  requests: RecordedRequest[];
  /** Every request to `/v1/embeddings`, in order of arrival. */
  embeddingRequests: RecordedRequest[];
  /** Adds replies to the end of the queue. */
  enqueue(...replies: ModelReply[]): void;
  close(): Promise<void>;
}

export interface ModelServerOptions {
  /** What `GET /v1/models` lists. */
  models?: string[];
  /** The vector of a text, or an error status for the whole request; absent: 404, as of a chat-only server. */
  embed?: (text: string) => number[] | { status: number };
}

/** A scripted OpenAI-compatible server on loopback: the only fake in tests of the model path, at the network's edge. */
export async function startModelServer(
  script: ModelScript = [],
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const embeddingRequests: RecordedRequest[] = [];
  const queue = Array.isArray(script) ? [...script] : undefined;
  const models = options.models ?? ["scripted-model"];

  const nextReply = (request: RecordedRequest, index: number): ModelReply => {
    if (typeof script === "function") return script(request, index);
    return queue?.shift() ?? { status: 500, message: `The script has no reply for request ${index}` };
  };

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? "/";
    if (path.startsWith("/v1/models")) {
      return sendJson(response, 200, { object: "list", data: models.map((id) => ({ id, object: "model" })) });
    }
    if (path === "/v1/embeddings" && options.embed !== undefined) {
      const request = await toRequest(incoming);
      embeddingRequests.push(request);
      return sendEmbeddings(response, request.body, options.embed);
    }
    if (path !== "/v1/chat/completions") return sendJson(response, 404, { error: { message: `No route ${path}` } });
    const request = await toRequest(incoming);
    const index = requests.push(request) - 1;
    response.on("close", () => {
      request.aborted = !response.writableFinished;
    });
    await sendReply(response, nextReply(request, index), request.body, index);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The model server has no port");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    embeddingRequests,
    enqueue(...replies) {
      if (queue === undefined) throw new Error("This server answers from a function; it has no queue");
      queue.push(...replies);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function toRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  return {
    method: incoming.method ?? "GET",
    path: incoming.url ?? "/",
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([key, value]) => [key, String(value)])),
    body: await readBody(incoming),
    aborted: false,
  };
}

/** Tokens are counted as words. */
function sendEmbeddings(
  response: ServerResponse,
  { input, model }: JsonObject,
  embed: NonNullable<ModelServerOptions["embed"]>,
): void {
  const texts = (Array.isArray(input) ? input : [input]).map(String);
  const data: JsonObject[] = [];
  for (const [index, text] of texts.entries()) {
    const embedding = embed(text);
    if ("status" in embedding) {
      sendJson(response, embedding.status, { error: { message: "As scripted" } });
      return;
    }
    data.push({ object: "embedding", index, embedding });
  }
  const tokens = texts.join(" ").split(/\s+/).length;
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  sendJson(response, 200, { object: "list", model: model ?? null, data, usage });
}

async function readBody(incoming: IncomingMessage): Promise<JsonObject> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString("utf8"));
}

function sendJson(response: ServerResponse, status: number, body: Json, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function sendReply(response: ServerResponse, reply: ModelReply, body: JsonObject, index: number): Promise<void> {
  if ("rawBody" in reply) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(reply.rawBody);
    return;
  }
  if ("status" in reply) {
    const message = reply.message ?? `Scripted status ${reply.status}`;
    const headers: Record<string, string> = {};
    if (reply.retryAfter !== undefined) headers["retry-after"] = String(reply.retryAfter);
    return sendJson(response, reply.status, { error: { message, code: reply.code ?? null } }, headers);
  }
  if (body.stream !== true) {
    if (reply.gate !== undefined) await reply.gate.opened;
    if (reply.breakAfter !== undefined) response.destroy();
    else if (reply.stallAfter === undefined) sendJson(response, 200, toCompletion(reply, body.model ?? "", index));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  for (const [position, chunk] of toChunks(reply, body.model ?? "", index).entries()) {
    if (reply.gate?.after === position) await reply.gate.opened;
    if (reply.stallAfter === position) return;
    if (reply.breakAfter === position) {
      response.destroy();
      return;
    }
    if (reply.truncateAfter === position) break;
    if (!response.write(`data: ${JSON.stringify(chunk)}\n\n`)) await once(response, "drain");
    // Each chunk reaches the socket on its own, so that a cut connection has delivered what came before it.
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end("data: [DONE]\n\n");
}
