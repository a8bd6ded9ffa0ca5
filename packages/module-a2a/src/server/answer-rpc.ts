import { A2A_VERSION_HEADER, type AgentCard } from "@a2a-js/sdk";
import { A2A_LEGACY_PROTOCOL_VERSION } from "@a2a-js/sdk/compat/v0_3";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import {
  type A2ARequestHandler,
  JsonRpcTransportHandler,
  ServerCallContext,
  validateVersion,
} from "@a2a-js/sdk/server";
import { isOvenError, type OvenError } from "@oven/contract";
import { JSON_RPC } from "./agent-card.ts";
import { eventStream } from "./event-stream.ts";

type RpcAnswer = Awaited<ReturnType<JsonRpcTransportHandler["handle"]>>;

/** These belong to the connection, not to the call: they are answered with their HTTP status. */
const OF_HTTP = new Set([401, 403, 429, 503]);

/**
 * Answers one JSON-RPC message, in the revision that its client names; without a name it is 0.3, as the protocol says.
 * @throws OvenError for what has an HTTP status of its own: no permission, too many requests
 */
export async function answerRpc(
  request: Request,
  body: Record<string, unknown>,
  card: AgentCard,
  handler: A2ARequestHandler,
): Promise<Response> {
  const requestedVersion = requestedVersionOf(request);
  const isLegacy = requestedVersion === A2A_LEGACY_PROTOCOL_VERSION;
  let refusal: OvenError | undefined;
  const watched = withA2aErrors(handler, (error) => {
    refusal = error;
  });
  const transport = isLegacy ? new LegacyJsonRpcTransportHandler(watched) : new JsonRpcTransportHandler(watched);
  const id = typeof body.id === "string" || typeof body.id === "number" ? body.id : null;
  const failed = (error: unknown): Response => {
    if (refusal !== undefined) throw refusal;
    const map = isLegacy
      ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError
      : JsonRpcTransportHandler.mapToJSONRPCError;
    return Response.json({ jsonrpc: "2.0", id, error: map(error) });
  };
  try {
    validateVersion(requestedVersion, card, JSON_RPC);
    const answer = (await transport.handle(body, new ServerCallContext({ requestedVersion }))) as RpcAnswer; // cast: both revisions answer JSON-RPC
    if (refusal !== undefined) throw refusal;
    if (!(Symbol.asyncIterator in answer)) return Response.json(answer);
    const iterator = answer[Symbol.asyncIterator]();
    // What is refused before the stream begins is no stream.
    const first = await iterator.next();
    return eventStream(first, iterator, (error) => ({ jsonrpc: "2.0", id, error: failedIn(error, isLegacy) }));
  } catch (error) {
    return failed(error);
  }
}

export function requestedVersionOf(request: Request): string {
  return request.headers.get(A2A_VERSION_HEADER) || A2A_LEGACY_PROTOCOL_VERSION;
}

function failedIn(error: unknown, isLegacy: boolean): unknown {
  return isLegacy
    ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error)
    : JsonRpcTransportHandler.mapToJSONRPCError(error);
}

/** The same handler, whose errors say what a client may know: ours with their fix, any other only that it happened. */
function withA2aErrors(handler: A2ARequestHandler, refuse: (error: OvenError) => void): A2ARequestHandler {
  const toPublic = (error: unknown): unknown => {
    if (isA2aError(error)) return error;
    if (!isOvenError(error)) {
      console.error(error);
      return new Error("Something went wrong on the server");
    }
    if (OF_HTTP.has(error.status)) refuse(error);
    if (error.code === "NOT_FOUND") return new TaskNotFoundError();
    const { code, message, fix } = error;
    return new RequestMalformedError(`${code}: ${message}${fix === undefined ? "" : `. ${fix}`}`);
  };
  return new Proxy(handler, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...given: unknown[]) => {
        const result: unknown = method.apply(target, given);
        return isStream(result) ? publicStream(result, toPublic) : publicAnswer(result, toPublic);
      };
    },
  });
}

function isA2aError(error: unknown): boolean {
  return error instanceof Error && "toErrorInfo" in error;
}

function isStream(value: unknown): value is AsyncGenerator<unknown, void, undefined> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

async function* publicStream(
  stream: AsyncGenerator<unknown, void, undefined>,
  toPublic: (error: unknown) => unknown,
): AsyncGenerator<unknown, void, undefined> {
  try {
    yield* stream;
  } catch (error) {
    throw toPublic(error);
  }
}

async function publicAnswer(answer: unknown, toPublic: (error: unknown) => unknown): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    throw toPublic(error);
  }
}
