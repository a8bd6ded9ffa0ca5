import { createMcpClient } from "@genkit-ai/mcp";
import { genkit } from "genkit";
import { bearer, type Connect, orThrown, toToolAnswer } from "../peer-client.ts";

export const connect: Connect = async (target) => {
  const ai = genkit({});
  const client = createMcpClient({
    name: "genkit",
    serverName: "oven",
    rawToolResponses: true,
    mcpServer: { url: target.url, requestInit: { headers: bearer(target) } },
  });
  await client.ready();
  const tools = await client.getActiveTools(ai);
  const nameOf = (tool: (typeof tools)[number]) => tool.__action.name.replace(/^.*\//, "");
  return {
    canBeAsked: false,
    names: async () => tools.map(nameOf),
    call: (name, given) =>
      orThrown(async () => {
        const tool = tools.find((one) => nameOf(one) === name);
        if (tool === undefined) throw new Error(`there is no tool ${name}`);
        return toToolAnswer(await tool(given));
      }),
    close: () => client.disable(),
  };
};
