import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

interface Connection {
  listTools(): Promise<{ tools: { name: string; inputSchema: unknown; outputSchema?: unknown }[] }>;
  callTool(
    params: { name: string; arguments: Record<string, unknown>; _meta?: Record<string, unknown> },
    onProgress?: (progress: { message?: string | undefined }) => void,
  ): Promise<{ isError?: boolean | undefined; structuredContent?: unknown; content: unknown }>;
  close(): Promise<void>;
}

type Connect = (url: URL, key: string) => Promise<Connection>;

export const connectLegacy: Connect = async (url, key) => {
  const client = new LegacyClient({ name: "legacy", version: "1.0.0" });
  const transport = new LegacyTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } });
  await client.connect(transport as Parameters<typeof client.connect>[0]); // cast: the SDK's own types disagree under exactOptionalPropertyTypes
  return {
    listTools: () => client.listTools(),
    callTool: async (params, onProgress) =>
      (await client.callTool(params, undefined, onProgress === undefined ? {} : { onprogress: onProgress })) as Awaited<
        ReturnType<Connection["callTool"]>
      >, // cast: the older result form has no content; our server does not send it
    close: () => client.close(),
  };
};

const connectModern =
  (mode: "legacy" | "auto"): Connect =>
  async (url, key) => {
    const client = new ModernClient(
      { name: "modern", version: "1.0.0" },
      mode === "auto" ? { versionNegotiation: { mode } } : {},
    );
    await client.connect(new ModernTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }));
    return {
      listTools: () => client.listTools(),
      callTool: async (params, onProgress) =>
        (await client.callTool(params, onProgress === undefined ? {} : { onprogress: onProgress })) as Awaited<
          ReturnType<Connection["callTool"]>
        >, // cast: as above
      close: () => client.close(),
    };
  };

/** Real clients of both eras, and of either way to agree on one. */
export const MCP_CLIENTS: [name: string, connect: Connect][] = [
  ["the v1 client", connectLegacy],
  ["the v2 client on an older revision", connectModern("legacy")],
  ["the v2 client on 2026-07-28", connectModern("auto")],
];
