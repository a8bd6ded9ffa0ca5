import { setTimeout as wait } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { PIXEL, SILENCE } from "./suite-media.ts";

const text = (said: string) => ({ content: [{ type: "text" as const, text: said }] });
const NOTHING = z.object({});

/** The tools that the suite calls by name, which answer at once. */
export function registerTools(server: McpServer): void {
  const add = (name: string, answer: () => { content: object[] }) =>
    server.registerTool(name, { description: `Of the conformance suite: ${name}`, inputSchema: NOTHING }, () => {
      const { content } = answer();
      return { content: content as ReturnType<typeof text>["content"] }; // cast: other kinds of content fit as well
    });
  add("test_simple_text", () => text("This is a simple text response for testing."));
  add("test_image_content", () => ({ content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] }));
  add("test_audio_content", () => ({ content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] }));
  add("test_embedded_resource", () => ({
    content: [
      {
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      },
    ],
  }));
  add("test_multiple_content_types", () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: PIXEL, mimeType: "image/png" },
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }));
  add("test_error_handling", () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
}

/** Those that say something while they work. */
export function registerTalkingTools(server: McpServer): void {
  const describe = (name: string) => ({ description: `Of the conformance suite: ${name}`, inputSchema: NOTHING });
  for (const name of ["test_tool_with_logging", "test_logging_tool"])
    server.registerTool(name, describe(name), async (_input, { mcpReq }) => {
      for (const said of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
        await mcpReq.log("info", said);
        await wait(50);
      }
      return text("Logged three messages");
    });
  server.registerTool("test_tool_with_progress", describe("test_tool_with_progress"), async (_input, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      await wait(50);
    }
    return text("Done");
  });
  server.registerTool(
    "test_sampling",
    { description: "Of the conformance suite: test_sampling", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: prompt } }];
      const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 });
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  );
}
