import { completable, inputRequired, type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import { PIXEL } from "./suite-media.ts";

const says = (text: string) => ({ role: "user" as const, content: { type: "text" as const, text } });

/** The resources that the suite reads. */
export function registerSuiteResources(server: McpServer): void {
  const fixed = (name: string, mimeType: string, content: { text: string } | { blob: string }) =>
    server.registerResource(
      name,
      `test://${name}`,
      { title: name, description: "Of the conformance suite", mimeType },
      async ({ href }) => ({ contents: [{ uri: href, mimeType, ...content }] }),
    );
  fixed("static-text", "text/plain", { text: "This is the content of the static text resource." });
  fixed("static-binary", "image/png", { blob: PIXEL });
  fixed("watched-resource", "text/plain", { text: "Nothing has happened yet." });
  server.registerResource(
    "suite-template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { title: "Template", description: "Of the conformance suite", mimeType: "application/json" },
    async ({ href }, { id }) => {
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` });
      return { contents: [{ uri: href, mimeType: "application/json", text }] };
    },
  );
}

/** The prompts that the suite gets. */
export function registerSuitePrompts(server: McpServer): void {
  const about = (name: string) => ({ title: name, description: `Of the conformance suite: ${name}` });
  server.registerPrompt("test_simple_prompt", about("test_simple_prompt"), () => ({
    messages: [says("This is a simple prompt for testing.")],
  }));
  const arg = completable(z.string().describe("A test argument"), (begun) =>
    ["paris", "park", "party"].filter((value) => value.startsWith(begun)),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    { ...about("test_prompt_with_arguments"), argsSchema: z.object({ arg1: arg, arg2: z.string() }) },
    ({ arg1, arg2 }) => ({ messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { ...about("test_prompt_with_embedded_resource"), argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => {
      const resource = { uri, mimeType: "text/plain", text: "Embedded resource content for testing." };
      const embedded = { role: "user" as const, content: { type: "resource" as const, resource } };
      return { messages: [embedded, says("Please process the embedded resource above.")] };
    },
  );
  server.registerPrompt("test_prompt_with_image", about("test_prompt_with_image"), () => {
    const image = { type: "image" as const, data: PIXEL, mimeType: "image/png" };
    return { messages: [{ role: "user", content: image }, says("Please analyze the image above.")] };
  });
  server.registerPrompt("test_input_required_result_prompt", about("test_input_required_result_prompt"), (context) => {
    const given = AnswerSchema.safeParse((context.mcpReq.inputResponses as { user_context?: unknown })?.user_context); // cast: whatever came
    if (given.success) return { messages: [says(`With ${given.data.content.context}`)] };
    const schema = {
      type: "object" as const,
      properties: { context: { type: "string" as const } },
      required: ["context"],
    };
    const user_context = inputRequired.elicit({
      message: "What context should the prompt use?",
      requestedSchema: schema,
    });
    return inputRequired({ inputRequests: { user_context } });
  });
}

const AnswerSchema = z.object({ action: z.literal("accept"), content: z.object({ context: z.string() }) });
