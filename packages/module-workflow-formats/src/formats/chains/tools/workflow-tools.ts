import type { Json, Principal } from "@oven/contract";
import { WorkflowIdSchema } from "@oven/contract/format";
import {
  CancelChainSchema,
  CancelledChainsSchema,
  ChainJobSchema,
  ChainResultSchema,
  ChainRunSchema,
  ChainScheduleSchema,
  ChainScheduleTypeSchema,
  ChainSchema,
  ChainSpecSchema,
  ChainStatusSchema,
  ChainTraceSchema,
} from "@oven/contract/formats/chains.ts";
import { defineTool, type ToolDefinition, type ToolRun } from "@oven/module-registry";
import { z } from "zod";
import type { ChainParts } from "../chain-parts.ts";

/** How long `run_workflow` waits before it answers with what there is. */
const WAIT_SECONDS = 45;

/** Who calls, and from which conversation, is known; what a model says about it counts for nothing. */
const caller = {
  user_id: z.string().max(255).nullish().describe("Not needed: it is yours, whatever stands here"),
  thread_id: z.string().max(255).nullish().describe("Not needed: it is that of this conversation"),
};
const when = {
  schedule_time: ChainScheduleSchema.shape.schedule_time.describe('Of scheduled: "tomorrow 9am", or an instant'),
  cron_expression: ChainScheduleSchema.shape.cron_expression.describe(
    'Of recurring: "0 9 * * MON-FRI", or "daily at 9am"',
  ),
  timezone: ChainScheduleSchema.shape.timezone,
};
const id = WorkflowIdSchema.describe("The id that create_workflow answered, or its short name");

const asJson = (value: unknown): Json => value as Json; // cast: shapes of JSON

/** What an agent does with workflows: under its user's permissions, in its conversation. @param parts asked for at each call */
export function workflowTools(parts: () => ChainParts): ToolDefinition[] {
  const threadOf = async ({ userId }: Principal, run: ToolRun | undefined): Promise<string> => {
    const session = run === undefined ? null : await parts().store.sessionOf(run.rootExecutionId);
    return session === null ? `user-${userId ?? 0}` : `session-${session}`;
  };
  return [
    defineTool({
      id: "create_workflow",
      title: "Create an executor chain",
      description:
        "Creates a workflow of the kind executor chain. Each executor is an agent of its own with a model, tools, a system prompt and the shape of its output; they run one after the other, and each gets what the one before it answered ($previous_output in its prompt)",
      input: z.strictObject({
        name: ChainSpecSchema.shape.name,
        description: ChainSpecSchema.shape.description,
        executors: ChainSpecSchema.shape.executors,
        schedule_type: ChainSpecSchema.shape.schedule_type,
        ...when,
        notify_on_complete: ChainSpecSchema.shape.notify_on_complete,
        notify_on_failure: ChainSpecSchema.shape.notify_on_failure,
        ...caller,
      }),
      output: z.strictObject({ workflow_id: z.uuid(), slug: z.string(), next_run_time: z.string().nullable() }),
      effect: "at-least-once",
      permission: "executor-chains.create",
      delegates: true,
      async run({ input: { user_id: _, thread_id: __, ...spec }, principal, run }) {
        const thread = await threadOf(principal, run);
        const chain = await parts().chains.create(principal, ChainSpecSchema.parse(spec), thread);
        return { workflow_id: chain.workflow_id, slug: chain.slug, next_run_time: chain.next_run_time };
      },
    }),
    defineTool({
      id: "schedule_workflow",
      title: "Schedule an executor chain",
      description:
        "Runs an executor chain now (immediate), once at a time (scheduled) or again and again (recurring), and says when exactly",
      input: z.strictObject({
        workflow_id: id,
        schedule_type: ChainScheduleTypeSchema,
        ...when,
        user_id: caller.user_id,
      }),
      output: ChainJobSchema,
      effect: "at-least-once",
      permission: "executor-chains.execute",
      delegates: true,
      run: async ({ input: { workflow_id, user_id: _, ...schedule }, principal }) =>
        asJson(await parts().chains.schedule(principal, workflow_id, ChainScheduleSchema.parse(schedule))),
    }),
    defineTool({
      id: "list_workflows",
      title: "List your executor chains",
      description: "Lists your executor chains, with their executors, schedules and how their runs ended",
      input: z.strictObject({ status: ChainStatusSchema.nullish(), user_id: caller.user_id }),
      output: z.array(ChainSchema),
      effect: "pure",
      permission: "executor-chains.read",
      run: async ({ input: { status }, principal }) =>
        asJson(await parts().chains.list(principal, status ?? undefined)),
    }),
    defineTool({
      id: "get_workflow_run",
      title: "Look at a run of an executor chain",
      description: "Shows each executor of a run of a chain: what it did, its tool calls, outputs, tokens and errors",
      input: z.strictObject({ run_id: z.string().min(1).max(100), user_id: caller.user_id }),
      output: ChainTraceSchema,
      effect: "pure",
      permission: "executor-chains.read",
      run: async ({ input: { run_id }, principal }) => asJson(await parts().runs.trace(principal, run_id)),
    }),
    defineTool({
      id: "list_failed_runs",
      title: "List failed runs of executor chains",
      description: "Lists runs of executor chains that failed, or of which only a part succeeded, newest first",
      input: z.strictObject({
        workflow_id: id.nullish(),
        limit: z.int().positive().max(100).default(10),
        user_id: caller.user_id,
      }),
      output: z.array(ChainRunSchema),
      effect: "pure",
      permission: "executor-chains.read",
      run: async ({ input: { workflow_id, limit }, principal }) =>
        asJson(await parts().runs.listFailed(principal, workflow_id ?? null, limit)),
    }),
    defineTool({
      id: "cancel_workflow",
      title: "Cancel an executor chain",
      description:
        "With the workflow_id of an executor chain cancels that chain: its schedule and its live runs. With a schedule_type only takes schedules of that type away, of one workflow or of all of yours",
      input: z.strictObject({ ...CancelChainSchema.shape, user_id: caller.user_id }),
      output: CancelledChainsSchema,
      effect: "idempotent",
      permission: "executor-chains.execute",
      delegates: true,
      run: async ({ input: { user_id: _, ...asked }, principal, signal }) =>
        asJson(await parts().chains.cancel(principal, asked, signal)),
    }),
    defineTool({
      id: "run_workflow",
      title: "Run an executor chain",
      description: `Runs an executor chain now and answers with its result; one that takes over ${WAIT_SECONDS} seconds is answered as it is then, and get_workflow_run shows it later`,
      input: z.strictObject({ workflow_id: id, ...caller }),
      output: ChainResultSchema,
      effect: "at-least-once",
      permission: "executor-chains.execute",
      delegates: true,
      run: async ({ input: { workflow_id }, principal, signal, run }) =>
        asJson(
          await parts().runs.run(principal, workflow_id, {
            wait: WAIT_SECONDS,
            signal,
            threadId: await threadOf(principal, run),
          }),
        ),
    }),
  ];
}
