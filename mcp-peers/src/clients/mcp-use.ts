import { MCPClient } from "mcp-use/client";
import { bearer, type Connect, orThrown, toToolAnswer } from "../peer-client.ts";

export const connect: Connect = async (target) => {
  const client = MCPClient.fromDict({
    mcpServers: {
      oven: {
        url: target.url,
        headers: bearer(target),
        onElicitation: async ({ message }: { message: string }) => target.answer(message),
      },
    },
  });
  const session = await client.createSession("oven");
  return {
    canBeAsked: true,
    names: async () => (await session.listTools()).map(({ name }) => name),
    call: (name, given) => orThrown(async () => toToolAnswer(await session.callTool(name, given))),
    close: () => client.closeAllSessions(),
  };
};
