import { z } from "zod";

/** The extension of revision 2026-07-28 by which a call answers with a handle at once. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

const McpTaskStatusSchema = z.enum(["working", "input_required", "completed", "failed", "cancelled"]);

/**
 * A run as a task of the protocol. Times are ISO 8601, durations whole milliseconds.
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
export const McpTaskSchema = z.strictObject({
  taskId: z.string(),
  status: McpTaskStatusSchema,
  statusMessage: z.string().optional(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
  /** From `createdAt` on; null: for as long as the run goes on, it stays. */
  ttlMs: z.int().nonnegative().nullable(),
  /** Absent once there is nothing to wait for. */
  pollIntervalMs: z.int().positive().optional(),
});
export type McpTask = z.infer<typeof McpTaskSchema>;

/** What `tasks/get`, `tasks/update` and `tasks/cancel` say; answers to questions stand beside it. */
export const McpTaskParamsSchema = z.object({ taskId: z.string().max(200) });
