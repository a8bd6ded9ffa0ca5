import type { McpServer } from "@modelcontextprotocol/server";
import { GUIDE, readGuide } from "@oven/module-workflows";

/** The guide to definitions as resources, a topic each: the same texts as of the tool definition_guide. */
export function registerGuide(server: McpServer): void {
  for (const { topic, about } of GUIDE)
    server.registerResource(
      `guide-${topic}`,
      `oven://guide/${topic}`,
      { title: `Definitions: ${topic}`, description: about, mimeType: "text/markdown" },
      async ({ href }: URL) => ({
        contents: [{ uri: href, mimeType: "text/markdown", text: await readGuide(topic) }],
      }),
    );
}
