/** An MCP server and who calls it. */
export interface McpTarget {
  url: string;
  key: string;
}

export interface McpAnswer {
  id: number;
  result?: { isError?: boolean; structuredContent?: Record<string, unknown> };
  error?: { message: string };
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "scale", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** One request of the protocol of 2026-07-28 as it is on the wire, under the id that the caller chose. */
export function send(
  { url, key }: McpTarget,
  id: number,
  method: string,
  params: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof params.name === "string" ? { "mcp-name": params.name } : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: META } }),
    ...(signal === undefined ? {} : { signal }),
  });
}

export async function callTool(target: McpTarget, id: number, name: string, given: object): Promise<McpAnswer> {
  const response = await send(target, id, "tools/call", { name, arguments: given });
  const text = await response.text();
  const line = text.split("\n").findLast((entry) => entry.startsWith("data: "));
  return JSON.parse(line === undefined ? text : line.slice("data: ".length)) as McpAnswer; // cast: JSON-RPC
}

/** Does `work` for 0 to `count` - 1, `atOnce` of them at a time. */
export async function inParallel(count: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
