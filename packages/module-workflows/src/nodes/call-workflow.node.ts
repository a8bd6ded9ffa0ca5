import { type JsonObject, JsonObjectSchema, JsonSchema, mayUseWorkflow, notFound, OvenError } from "@oven/contract";
import { ExecutionKindSchema } from "@oven/contract/run";
import { DurationSchema } from "@oven/contract/workflow";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { pinKey } from "../definitions/called-workflows.ts";
import { checkPayload } from "../executions/check-payload.ts";
import { writtenTime } from "../worst-case/written-time.ts";
import { toInstant } from "./to-instant.ts";

/** Calls another workflow as a run of its own. */
export const callWorkflowNode = defineNode({
  id: "core.callWorkflow",
  version: 1,
  title: "Call workflow",
  synonyms: ["subworkflow", "sub-workflow", "execute workflow", "child"],
  docs: "Runs another workflow, or an agent workflow, as a run of its own and waits for its end, however long that takes: a review inside it pauses this run, too. The called workflow sees this run's context as `$.parent`. It runs in the version that was published when this run started, or in the one that `workflowVersion` names. When it fails or is cancelled, this step fails with its error, which `onError` can take. Runs are nested five deep at most.",
  category: "core",
  kind: "child",
  effect: "pure",
  isWait: true,
  input: z.strictObject({
    workflow: z.union([z.string().min(1), z.int().positive()]).describe("Id or slug of the workflow"),
    kind: ExecutionKindSchema.default("workflow"),
    workflowVersion: z
      .int()
      .positive()
      .optional()
      .describe("A published version of it; left out, the one that is published when the run starts"),
    input: JsonObjectSchema.default({}).describe("What its payloadSchema asks for"),
    deadline: z
      .union([DurationSchema, z.iso.datetime({ offset: true })])
      .optional()
      .describe("Milliseconds or a duration such as P1D from now on, or an instant; then it is cancelled"),
  }),
  output: z.strictObject({
    executionId: z.int(),
    outcome: z.string().nullable(),
    output: JsonSchema.meta({ "x-type-from": { called: "workflow" } }),
  }),
  ceiling({ input }) {
    const longestWait = writtenTime(input.deadline, { code: "no-deadline" });
    return typeof longestWait === "number" ? { longestWait } : {};
  },
  calls: ({ workflow, kind = "workflow", workflowVersion: version }) => {
    const isLiteral = typeof workflow === "number" || (typeof workflow === "string" && !/^\$\.|\{\{/.test(workflow));
    const parsed = ExecutionKindSchema.safeParse(kind);
    if (!isLiteral || !parsed.success) return [];
    const call = { kind: parsed.data, workflow: String(workflow) };
    if (version === undefined) return [call];
    // A version that the run computes is not known beforehand, so neither is what is called.
    return typeof version === "number" ? [{ ...call, version }] : [];
  },
  async run(context) {
    const { principal, pinnedCalls, services, now } = context;
    const { workflow, kind, workflowVersion: named, input, deadline } = context.input;
    const { workflows } = services.workflowPlatform.face(kind);
    const { workflows: _bounds, ...unbound } = principal;
    const called = await workflows.get(unbound, String(workflow));
    // What was named literally is the author's choice; what the input named is the caller's.
    const pinned = pinnedCalls[pinKey(kind, called.id, named)];
    if (pinned === undefined && !mayUseWorkflow(principal, kind, called.id)) throw notFound(kind, workflow);
    if (!called.enabled) {
      throw new OvenError("WORKFLOW_DISABLED", `${called.name} is disabled`, { status: 409, fix: "Enable it first." });
    }
    const workflowVersion = pinned ?? named ?? called.version;
    const { definition } = await workflows.pinned(called.id, workflowVersion);
    // What was named literally was checked with the run that calls it, on the way it really stands in.
    if (pinned === undefined) {
      const version = { ...called, version: workflowVersion, definition };
      await services.workflowPlatform.policies.requireRunnable(principal, kind, version, pinnedCalls);
    }
    checkPayload(called.name, definition, input as JsonObject); // cast: its schema is that of JSON objects
    const request = { kind, workflowId: called.id, workflowVersion, part: null, input: input as JsonObject }; // cast: as above
    return {
      type: "wait",
      for: "child",
      request: { ...request, dueAt: deadline === undefined ? null : toInstant(deadline, now()) },
    };
  },
  async resume(_context, signal) {
    if (signal.type !== "child")
      throw new OvenError("UNEXPECTED_SIGNAL", `Waiting for a run cannot be ended by ${signal.type}`);
    const { executionId, status, outcome, output, error } = signal;
    if (status === "completed") return done({ executionId, outcome, output });
    const message = error?.message ?? `The run ${executionId} was ${status}`;
    throw new OvenError(error?.code ?? "CHILD_FAILED", message, {
      fix: `See execution ${executionId}.`,
      details: { executionId, status },
    });
  },
});
