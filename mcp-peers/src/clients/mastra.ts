import { MCPClient } from "@mastra/mcp";
import { bearer, type Connect, orThrown, type ToolAnswer } from "../peer-client.ts";

export const connect: Connect = async (target) => {
  const client = new MCPClient({
    servers: {
      oven: {
        url: new URL(target.url),
        requestInit: { headers: bearer(target) },
        inputRequests: async ({ params }) => target.answer(params.message),
      },
    },
  });
  const { oven: tools = {} } = await client.listToolsets();
  return {
    canBeAsked: true,
    names: async () => Object.keys(tools),
    call: (name, given) =>
      orThrown(async (): Promise<ToolAnswer> => {
        const answer = await tools[name]?.execute?.(given, {});
        // What Mastra finds wrong with arguments by itself is answered, not thrown.
        const isError = answer?.error === true || answer?.isError === true;
        return { isError, text: JSON.stringify(answer), value: answer?.structuredContent ?? answer };
      }),
    close: () => client.disconnect(),
  };
};
