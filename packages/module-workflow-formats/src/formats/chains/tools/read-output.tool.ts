import { getOwn, type Json, JsonSchema, OvenError } from "@oven/contract";
import { defineTool, type ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import { atPath, pathProblem } from "../at-path.ts";
import { wholeOf } from "../payloads.ts";

const OutputsSchema = z.object({ outputs: z.record(z.string(), JsonSchema) });

/** The whole of an output that went on as a summary with a reference; offered while there is one. */
export const readOutputTool = defineTool({
  id: "read_output",
  title: "Read an executor's output",
  description:
    "Reads what an earlier executor of this run answered, or a part of it: a path into it, and of a list some of its items",
  input: z.strictObject({
    executor_id: z.string().min(1).max(255),
    path: z.string().max(1_000).optional().describe("prices"),
    offset: z.int().nonnegative().default(0).describe("Of a list: the first item, from 0"),
    limit: z.int().positive().max(1_000).default(100).describe("Of a list: how many items"),
  }),
  output: z.strictObject({ value: JsonSchema, total: z.int().nullable() }),
  effect: "pure",
  permission: "executor-chains.read",
  async run({ input: { executor_id, path, offset, limit }, principal, run, services }) {
    const outputs = run === undefined ? {} : await outputsOf(services, principal, run.rootExecutionId);
    const output = getOwn(outputs, executor_id);
    if (output === undefined) {
      const known = Object.keys(outputs).join(", ");
      throw new OvenError("DATA_MISSING", `${executor_id} has no output in this run`, {
        status: 404,
        fix: known === "" ? "None of its executors has answered yet." : `These have: ${known}.`,
      });
    }
    const problem = path === undefined ? undefined : pathProblem(path);
    const whole = await wholeOf(services.blobs, output, principal.tenantId);
    const part = problem === undefined ? atPath(whole, path ?? null) : undefined;
    if (part === undefined)
      throw new OvenError("DATA_MISSING", `There is nothing at ${path} in the output of ${executor_id}`, {
        status: 404,
      });
    if (!Array.isArray(part)) return { value: part, total: null };
    return { value: part.slice(offset, offset + limit), total: part.length };
  },
});

async function outputsOf(
  { workflowPlatform }: Pick<ServiceMap, "workflowPlatform">,
  principal: Parameters<ServiceMap["tools"]["list"]>[0],
  executionId: number,
): Promise<Record<string, Json>> {
  const { context } = await workflowPlatform.face("agent-workflow").runs.reader.get(principal, executionId);
  const parsed = OutputsSchema.safeParse(context);
  return parsed.success ? (parsed.data.outputs as Record<string, Json>) : {}; // cast: the run's own context
}
