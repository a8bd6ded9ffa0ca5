import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { createHttpServer } from "../../../apps/dashboard/server/http-server.ts";
import { connectDatabase } from "../../../packages/db/src/index.ts";

/*
 * The SDK's own server with a tool that says what it hears, in a process of its own; with DATABASE_URL there is one that also writes
 * it down, as one row. Says `ready` and its port; ends with standard input.
 */
const WordSchema = z.object({ word: z.string() });
type Word = z.output<typeof WordSchema>;
const url = process.env.DATABASE_URL;
const db = url === undefined ? undefined : await connectDatabase({ url, dataDir: "unused" });
await db?.query(
  "create table if not exists echoed_words (id bigint generated always as identity primary key, word text)",
);
const toAnswer = (heard: Word) => ({
  content: [{ type: "text" as const, text: JSON.stringify(heard) }],
  structuredContent: heard,
});
const schemas = { inputSchema: WordSchema, outputSchema: WordSchema };
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "echo", version: "1.0.0" });
  server.registerTool("echo", { description: "Says what it hears", ...schemas }, toAnswer);
  if (db === undefined) return server;
  server.registerTool("keep", { description: "Writes down what it hears", ...schemas }, async (heard) => {
    await db.query("insert into echoed_words (word) values ($1)", [heard.word], "keep-word");
    return toAnswer(heard);
  });
  return server;
});
const { server } = createHttpServer(
  (request) => handler.fetch(request),
  () => undefined,
);
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.stdout.write(`ready ${address.port}\n`);
});
process.stdin.resume().once("end", () => process.exit(0));
