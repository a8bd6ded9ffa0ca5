import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { orThrown, type PeerClient, toToolAnswer } from "../peer-client.ts";

/** The SDK's first client, which cannot be asked, over a process that passes messages on. */
export async function connectOverStdio(
  [command = "", ...args]: string[],
  env: Record<string, string>,
): Promise<PeerClient> {
  const client = new Client({ name: "sdk-v1-stdio", version: "1.0.0" });
  const home = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
  await client.connect(new StdioClientTransport({ command, args, env: { ...home, ...env }, stderr: "inherit" }));
  return {
    canBeAsked: false,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, given) => orThrown(async () => toToolAnswer(await client.callTool({ name, arguments: given }))),
    close: () => client.close(),
  };
}
