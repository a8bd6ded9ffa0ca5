import { MCPServerStreamableHttp } from "@openai/agents";
import { bearer, type Connect, orThrown, toToolAnswer } from "../peer-client.ts";

export const connect: Connect = async (target) => {
  const server = new MCPServerStreamableHttp({ url: target.url, requestInit: { headers: bearer(target) } });
  await server.connect();
  return {
    canBeAsked: false,
    names: async () => (await server.listTools()).map(({ name }) => name),
    call: (name, given) => orThrown(async () => toToolAnswer(await server.callToolResult(name, given))),
    close: () => server.close(),
  };
};
