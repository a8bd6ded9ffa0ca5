import type { ServerResponse } from "node:http";
import { type OutsideServer, startOutsideServer } from "@oven/testing";

interface Rpc {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
}

/** What a method answers: a result, a whole response, or nothing yet (it has the raw response). */
type Answer = object | Response | undefined;
export type Methods = Record<string, (rpc: Rpc, raw: ServerResponse, request: Request) => Answer | Promise<Answer>>;

export const TOOL = {
  name: "do",
  description: "Does it",
  inputSchema: { type: "object", properties: {} },
};

export const rpcResult = (id: unknown, result: object) => Response.json({ jsonrpc: "2.0", id, result });

/** A server of the older era that misbehaves in one place: methods that are not given behave. */
export function startRawServer(methods: Methods, tools: unknown[] = [TOOL]): Promise<OutsideServer> {
  const known: Methods = {
    initialize: () => ({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "raw", version: "1" },
    }),
    "tools/list": () => ({ tools }),
    "tools/call": () => ({ content: [{ type: "text", text: "done" }] }),
    ...methods,
  };
  return startOutsideServer(async (request, raw) => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const rpc = JSON.parse(await request.text()) as Rpc; // cast: what an MCP client sends
    const method = known[rpc.method ?? ""];
    if (rpc.id === undefined) {
      await method?.(rpc, raw, request);
      return new Response(null, { status: 202 });
    }
    if (method === undefined)
      return Response.json({ jsonrpc: "2.0", id: rpc.id, error: { code: -32601, message: "no such method" } });
    const answer = await method(rpc, raw, request);
    return answer === undefined || answer instanceof Response ? answer : rpcResult(rpc.id, answer);
  });
}
