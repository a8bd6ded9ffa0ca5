import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Credentials } from "@oven/testing";
import { expect } from "vitest";
import type { VaultStage } from "./vault-stage.ts";
import type { Refusal } from "./way.ts";

/** A real client of an MCP server (`oven`, `support-reply`, `triggers/7`), connected without a socket. */
export async function connectAs(
  { oven }: Pick<VaultStage, "oven">,
  server: string,
  { key, headers }: Credentials,
): Promise<Client> {
  const client = new Client({ name: "matrix", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost:3000/api/mcp/${server}`), {
    requestInit: { headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers } },
    fetch: (url, init) => oven.handle(new Request(url, init)),
  });
  await client.connect(transport);
  return client;
}

/** @throws when the call went wrong otherwise than for want of a right */
export async function toRefusal(called: ReturnType<Client["callTool"]>): Promise<Refusal> {
  const { isError, content, structuredContent } = await called.catch((error: Error) => ({
    isError: true,
    content: error.message,
    structuredContent: undefined,
  }));
  // A run that failed answers with an error, too.
  const { run, run_id, execution_id } = (structuredContent ?? {}) as Record<string, unknown>; // cast: the tools' own shapes
  if (isError !== true || run !== undefined || run_id !== undefined || execution_id !== undefined) return undefined;
  const text = JSON.stringify(content);
  expect(text).toMatch(/FORBIDDEN|NOT_FOUND|UNAUTHENTICATED|DELIVERY_NOT_STARTED/);
  return `refused ${text}`;
}
