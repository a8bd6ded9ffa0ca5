import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { bearer, type Connect, orThrown, type ToolAnswer } from "../peer-client.ts";

export const connect: Connect = async (target) => {
  const client = new MultiServerMCPClient({
    mcpServers: { oven: { url: target.url, headers: bearer(target), automaticSSEFallback: false } },
  });
  const tools = await client.getTools();
  return {
    canBeAsked: false,
    names: async () => tools.map(({ name }) => name),
    call: (name, given) =>
      orThrown(async (): Promise<ToolAnswer> => {
        const tool = tools.find((one) => one.name === name);
        if (tool === undefined) throw new Error(`there is no tool ${name}`);
        // Else what it finds wrong by itself has no place: "Received tool input did not match expected schema".
        tool.verboseParsingErrors = true;
        const answer = await tool.invoke(given);
        return { isError: false, text: JSON.stringify(answer), value: answer?.structuredContent ?? answer };
      }),
    close: () => client.close(),
  };
};
