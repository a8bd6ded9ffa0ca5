import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp";
import { bearer, type Connect, orThrown, toToolAnswer } from "../peer-client.ts";

export const connect: Connect = async (target) => {
  const client = await createMCPClient({
    transport: { type: "http", url: target.url, headers: bearer(target) },
    capabilities: { elicitation: {} },
  });
  client.onElicitationRequest(ElicitationRequestSchema, async ({ params }) => target.answer(params.message));
  return {
    canBeAsked: true,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, given) => orThrown(async () => toToolAnswer(await client.callTool({ name, arguments: given }))),
    close: () => client.close(),
  };
};
