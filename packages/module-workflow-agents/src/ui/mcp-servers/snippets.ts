import { getOwn, type Json } from "@oven/contract";
import type { McpServer } from "@oven/contract/mcp";
import { t } from "@oven/i18n";

export interface Snippet {
  id: string;
  title: string;
  hint: string;
  text: string;
}

export const KEY_PLACEHOLDER = "YOUR_OVEN_API_KEY";
/** The revision the examples ask for; the server answers with one it speaks. */
const PROTOCOL = "2025-06-18";

/** Arguments that fit the required properties of a tool's input, to be replaced by real ones. */
export function toSampleArguments(inputSchema: Record<string, Json>): Record<string, Json> {
  const { required, properties } = inputSchema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const known = typeof properties === "object" && properties !== null && !Array.isArray(properties) ? properties : {};
  return Object.fromEntries(names.map((name) => [name, toSample(getOwn(known, name))]));
}

function toSample(schema: Json | undefined): Json {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return "…";
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  switch (schema.type) {
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "…";
  }
}

/** How to reach a server, ready to paste. */
export function toSnippets(server: Pick<McpServer, "slug" | "url" | "toolDefinitions">): Snippet[] {
  const first = server.toolDefinitions[0];
  const tool = first?.name ?? server.slug.replaceAll("-", "_");
  const sample = JSON.stringify(toSampleArguments(first?.inputSchema ?? {}));
  const config = {
    mcpServers: {
      [server.slug]: { type: "http", url: server.url, headers: { Authorization: `Bearer ${KEY_PLACEHOLDER}` } },
    },
  };
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: "curl", version: "1.0.0" } },
  };
  return [
    {
      id: "config",
      title: t("Client config"),
      hint: t("For clients that take remote servers in a JSON file (Claude Code, Cursor, VS Code and others)."),
      text: JSON.stringify(config, null, 2),
    },
    {
      id: "curl",
      title: "curl",
      hint: t("Shows at once whether the address and the key work."),
      text: [
        `curl -sS ${server.url} \\`,
        `  -H 'Authorization: Bearer ${KEY_PLACEHOLDER}' \\`,
        "  -H 'Content-Type: application/json' \\",
        "  -H 'Accept: application/json, text/event-stream' \\",
        `  -d '${JSON.stringify(initialize)}'`,
      ].join("\n"),
    },
    {
      id: "typescript",
      title: "TypeScript",
      hint: t("With the official SDK: npm install @modelcontextprotocol/sdk"),
      text: [
        'import { Client } from "@modelcontextprotocol/sdk/client/index.js";',
        'import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";',
        "",
        'const client = new Client({ name: "my-app", version: "1.0.0" });',
        "await client.connect(",
        `  new StreamableHTTPClientTransport(new URL("${server.url}"), {`,
        `    requestInit: { headers: { Authorization: "Bearer ${KEY_PLACEHOLDER}" } },`,
        "  }),",
        ");",
        "",
        `const result = await client.callTool({ name: "${tool}", arguments: ${sample} });`,
        "console.log(result.structuredContent);",
      ].join("\n"),
    },
  ];
}
