import type { Json } from "@oven/contract";
import type { TriedTool } from "@oven/contract/agent";
import type { McpServer } from "@oven/contract/mcp";
import { t } from "@oven/i18n";
import { z } from "zod";

const VERSION = "2026-07-28";
const META = "io.modelcontextprotocol";

const AnswerSchema = z.looseObject({
  result: z
    .looseObject({
      isError: z.boolean().optional(),
      structuredContent: z.json().optional(),
      content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
    })
    .optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

/** One call of a tool of our own server, as an MCP client makes it, with the rights of whoever is signed in. */
export async function callServerTool({ slug }: Pick<McpServer, "slug">, name: string, args: Json): Promise<TriedTool> {
  const started = performance.now();
  const response = await fetch(`/api/mcp/${slug}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": VERSION,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name,
        arguments: args,
        _meta: {
          [`${META}/protocolVersion`]: VERSION,
          [`${META}/clientInfo`]: { name: "oven-dashboard", version: "1" },
          [`${META}/clientCapabilities`]: {},
        },
      },
    }),
  });
  return toTried(await response.text(), response.status, Math.round(performance.now() - started));
}

/** What came back, as JSON or as the last message of a stream. */
export function toTried(text: string, status: number, durationMs: number): TriedTool {
  const parsed = AnswerSchema.safeParse(readJson(lastMessage(text)));
  const failed = (message: string): TriedTool => ({
    result: null,
    error: { code: String(status), message, fix: null },
    durationMs,
  });
  if (!parsed.success) return failed(t("The server answered {{status}}", { status }));
  const { result, error } = parsed.data;
  if (error !== undefined) return failed(error.message);
  if (result === undefined) return failed(t("The server answered {{status}}", { status }));
  const said = result.content.flatMap((part) => part.text ?? []).join("\n");
  if (result.isError === true) return failed(said);
  return { result: result.structuredContent ?? said, error: null, durationMs };
}

function lastMessage(text: string): string {
  const messages = text.split("\n").filter((line) => line.startsWith("data:"));
  return messages.length === 0
    ? text
    : (messages.findLast((line) => line.includes('"id"')) ?? "").slice("data:".length);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
