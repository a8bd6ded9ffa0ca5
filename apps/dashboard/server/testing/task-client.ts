import { type Client, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { JsonObject } from "@oven/contract";
import { type McpTask, TASKS_EXTENSION } from "@oven/contract/mcp";
import { z } from "zod";
import type { McpEndpoint } from "./mcp-endpoint.ts";

const AnySchema = z.record(z.string(), z.unknown());

/** What `tasks/get` answers. */
export interface FollowedTask extends McpTask {
  result?: { isError?: boolean; structuredContent: JsonObject; content: unknown[] };
  inputRequests?: Record<string, { method: string; params: JsonObject & { message: string } }>;
  _meta?: JsonObject;
}

/** A client that declares tasks. */
export interface TaskClient {
  client: Client;
  /** @returns the answer of `tools/call` as it came */
  call(args?: JsonObject): Promise<FollowedTask & { resultType: string; structuredContent: JsonObject }>;
  get(taskId: string): Promise<FollowedTask>;
  update(taskId: string, inputResponses: JsonObject): Promise<unknown>;
  cancel(taskId: string): Promise<unknown>;
}

interface TaskClientOptions {
  key?: string;
  /** The tool that is called; the server's name in words where it is not given. */
  tool?: string;
  /** Whether it can ask its user. */
  asks?: boolean;
}

/**
 * The SDK's client speaks the methods of the extension as any other, and refuses the one answer that it does not know: that of the call,
 * which is read on its way.
 */
export async function connectTasks(
  endpoint: Pick<McpEndpoint, "connect">,
  server: string,
  { key, tool = server.replaceAll("-", "_"), asks = true }: TaskClientOptions = {},
): Promise<TaskClient> {
  const answers: unknown[] = [];
  const client = await endpoint.connect(server, {
    ...(key === undefined ? {} : { key }),
    capabilities: { extensions: { [TASKS_EXTENSION]: {} }, ...(asks ? { elicitation: { form: {} } } : {}) },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (response.headers.get("content-type")?.startsWith("application/json") === true)
        answers.push(((await response.clone().json()) as { result?: unknown }).result); // cast: JSON-RPC
      return response;
    },
  });
  const request = async (method: string, params: JsonObject) => client.request({ method, params }, AnySchema);
  return {
    client,
    call: async (args = {}) => {
      try {
        return (await client.callTool({ name: tool, arguments: args })) as never; // cast: shown by the test that fails
      } catch (error) {
        if (!SdkError.isInstance(error) || error.code !== SdkErrorCode.UnsupportedResultType) throw error;
        return answers.at(-1) as Awaited<ReturnType<TaskClient["call"]>>; // cast: what the extension says, which the test looks at
      }
    },
    get: async (taskId) => (await request("tasks/get", { taskId })) as unknown as FollowedTask, // cast: as above
    update: async (taskId, inputResponses) => withoutMeta(await request("tasks/update", { taskId, inputResponses })),
    cancel: async (taskId) => withoutMeta(await request("tasks/cancel", { taskId })),
  };
}

/** Each answer names the server there. */
function withoutMeta({ _meta, ...result }: Record<string, unknown>): Record<string, unknown> {
  return result;
}
