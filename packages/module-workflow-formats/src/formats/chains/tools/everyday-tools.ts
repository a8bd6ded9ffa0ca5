import { type Json, JsonSchema, toActor } from "@oven/contract";
import type { Database } from "@oven/db";
import { defineTool, type ToolDefinition } from "@oven/module-registry";
import { NO_RUN } from "@oven/module-workflows";
import { z } from "zod";
import { pythonTool } from "./python.tool.ts";
import { searchWebTool } from "./search-web.tool.ts";

export const MESSAGE_SENT = "formats.message.sent";
export const MessageSentSchema = z
  .looseObject({
    text: z.string(),
    subject: z.string().nullable(),
    userId: z.int().nullable(),
    executionId: z.int().nullable(),
  })
  .describe("When a workflow sends a message to its owner");
const permission = "chain-tools.use";

const queryDb = defineTool({
  id: "query_db",
  title: "Query the database",
  description:
    "Reads rows with one SQL statement from the database that the operator has opened to workflows; values are bound as params",
  input: z.strictObject({
    sql: z.string().trim().min(1).max(20_000).describe("select …, with values as $1, $2, …"),
    params: z.array(JsonSchema).max(1_000).default([]),
  }),
  output: z.strictObject({ rows: z.array(z.record(z.string(), JsonSchema)), truncated: z.boolean() }),
  effect: "pure",
  permission,
  timeoutMs: 120_000,
  run: async ({ input: { sql, params }, principal, services, signal }) => {
    const asked = { tenantId: principal.tenantId, query: sql, params: params as Json[], signal }; // cast: it came as JSON
    return { ...(await services.sql.query({ ...asked, maxRows: 1_000, timeoutMs: 110_000 })) };
  },
});

const writeFile = defineTool({
  id: "write_file",
  title: "Write a file",
  description: "Keeps a text under a name; the answer says where it can be read",
  input: z.strictObject({
    path: z.string().min(1).max(500).describe("price_alerts.txt"),
    content: z.string().max(5_000_000),
  }),
  output: z.strictObject({ path: z.string(), blob_id: z.int(), bytes: z.int(), url: z.string() }),
  effect: "idempotent",
  permission,
  async run({ input: { path, content }, principal: { tenantId }, run, services }) {
    const { executionId, nodeId, visit, item } = run ?? NO_RUN;
    const position = { tenantId, executionId, nodeId, visit, item };
    const data = Buffer.from(content);
    const { $blob: id, bytes } = await services.blobs.write(position, "text/plain", data, path);
    return { path, blob_id: id, bytes, url: `/api/blobs/${id}` };
  },
});

/** @param db asked for at each call */
const sendMessage = (db: () => Database) =>
  defineTool({
    id: "send_message",
    title: "Send a message",
    description: "Sends a message to whoever owns the workflow, and to the systems that are subscribed to messages",
    input: z.strictObject({ text: z.string().min(1).max(20_000), subject: z.string().max(200).optional() }),
    output: z.strictObject({ sent: z.boolean() }),
    effect: "at-least-once",
    permission,
    async run({ input: { text, subject }, principal, run, services }) {
      const { tenantId, userId } = principal;
      await services.events.write(db(), [
        {
          tenantId,
          name: MESSAGE_SENT,
          actor: toActor(principal),
          payload: { text, subject: subject ?? null, userId, executionId: run?.rootExecutionId ?? null },
        },
      ]);
      services.events.wake();
      return { sent: true };
    },
  });

/** What the executors of the document's examples use. */
export const chainTools = (db: () => Database): ToolDefinition[] => [
  searchWebTool,
  queryDb,
  sendMessage(db),
  writeFile,
  pythonTool,
];
