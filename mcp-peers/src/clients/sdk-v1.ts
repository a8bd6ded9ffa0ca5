import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { bearer, type Connect, orThrown, toToolAnswer } from "../peer-client.ts";

export const connect: Connect = async (target) => {
  const client = new Client({ name: "sdk-v1", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => target.answer(params.message));
  const headers = bearer(target);
  await client.connect(new StreamableHTTPClientTransport(new URL(target.url), { requestInit: { headers } }));
  return {
    canBeAsked: true,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, given) => orThrown(async () => toToolAnswer(await client.callTool({ name, arguments: given }))),
    close: () => client.close(),
  };
};
