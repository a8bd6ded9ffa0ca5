import { parseArgs } from "node:util";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = { url: { type: "string" }, key: { type: "string" } } as const;

/** For clients that can only start a process: an MCP server on stdin and stdout that stands for one at an address. */
export const mcpCommand: OvenCommand = {
  name: "mcp",
  usage: "mcp --url http://…/api/mcp/<slug> [--key …]   (the key is better given as OVEN_API_KEY)",
  async run(args) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const key = values.key ?? process.env.OVEN_API_KEY;
    if (values.url === undefined) throw new Error(`usage: pnpm oven ${mcpCommand.usage}`);
    if (key === undefined) throw new Error("give an API key: --key, or OVEN_API_KEY");
    const headers = { authorization: `Bearer ${key}` };
    const away = new StreamableHTTPClientTransport(new URL(values.url), { requestInit: { headers } });
    await bridge(new StdioServerTransport(), away);
    return 0;
  },
};

/** Passes messages on in both directions until the client goes. What cannot be delivered is answered, so that nobody waits. */
export async function bridge(here: Transport, away: Transport): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    here.onclose = resolve;
  });
  here.onmessage = (message) => {
    away.send(message).catch(async (error: unknown) => {
      if (isRequest(message)) await here.send(refusal(message.id, error));
      else report(error);
    });
  };
  away.onmessage = (message) => {
    const version = protocolVersionIn(message);
    if (version !== undefined) away.setProtocolVersion?.(version);
    here.send(message).catch(report);
  };
  // Stdout belongs to the protocol.
  here.onerror = report;
  away.onerror = report;
  await away.start();
  await here.start();
  await closed;
  await away.close();
}

type Request = JSONRPCMessage & { id: string | number; method: string };

function isRequest(message: JSONRPCMessage): message is Request {
  return "method" in message && "id" in message;
}

/** The revision that an answer to `initialize` settles on; newer clients say it with each request. */
function protocolVersionIn(message: JSONRPCMessage): string | undefined {
  if (!("result" in message)) return undefined;
  const { protocolVersion } = message.result as { protocolVersion?: unknown }; // cast: looked at next
  return typeof protocolVersion === "string" ? protocolVersion : undefined;
}

function refusal(id: Request["id"], error: unknown): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: -32_603, message: messageOf(error) } };
}

function report(error: unknown): void {
  process.stderr.write(`oven mcp: ${messageOf(error)}\n`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
