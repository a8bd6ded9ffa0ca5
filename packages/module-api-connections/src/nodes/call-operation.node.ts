import { JsonObjectSchema, JsonSchema } from "@oven/contract";
import { defineNode } from "@oven/module-registry";
import { outsideToolStep } from "@oven/module-workflow-agents";
import { approvalInput } from "@oven/module-workflows";
import { z } from "zod";
import { USE_PERMISSION } from "../operations/operation-catalogue.ts";
import { API_NAMESPACE } from "../operations/operation-row.ts";

const CallInput = z.strictObject({
  tool: z.string().min(1).describe("`api.{connection}.{operation}`, as the connection's page shows it"),
  arguments: JsonObjectSchema.default({}).describe("What the operation's input schema asks for"),
  timeoutMs: z
    .int()
    .min(1_000)
    .max(600_000)
    .optional()
    .meta({ title: "Longest silence" })
    .describe("How long the API may be silent. Else as its connection says"),
  maxTotalMs: z
    .int()
    .min(1_000)
    .max(86_400_000)
    .optional()
    .meta({ title: "Longest duration" })
    .describe("How long the call may take in all. Else ten times the longest silence"),
  ...approvalInput,
});

/** `api.call`: calls one approved operation of a connected API. */
export const callOperationNode = defineNode({
  id: "api.call",
  version: 1,
  title: "API operation",
  firstFields: ["tool", "arguments"],
  synonyms: ["openapi", "swagger", "rest", "graphql", "service", "connector", "integration"],
  docs: [
    "Calls one operation of a connected API, without a model.",
    "",
    "The operation must have been approved at the connection's page, and both the starter and the version of the run must be allowed to use connected APIs (`api-operations.use`). It is signed in with the connection's account, or with the account of the person who started the run; where they have not connected theirs yet, the step waits until they have.",
    "An operation that needs approval for each call waits for a review of exactly this call; what a person edited is what is called, and a rejection is the error REVIEW_REJECTED. `approved` hands on a call that a review before this step has released.",
    "A status that is no success is the error API_CALL_FAILED: 408, 429 and 5xx are tried again where the step says so. Every attempt carries the same `Idempotency-Key`.",
    "It acts at most once: after a crash in the middle of the call a person is asked what happened.",
  ].join("\n"),
  category: "api",
  kind: "tool",
  effect: "at-most-once",
  tags: ["outside-content", "outbound", "api"],
  // What the operations themselves ask for, so that it is checked before a person is asked, and counted in what a version needs.
  permissions: [USE_PERMISSION],
  literals: ["tool"],
  input: CallInput,
  output: z.strictObject({
    status: z.int().meta({ examples: [200] }),
    body: JsonSchema.meta({ "x-type-from": [{ called: "tool" }, { sample: "body" }] }),
  }),
  ...outsideToolStep<z.output<typeof CallInput>>({
    node: "api.call",
    namespace: API_NAMESPACE,
    what: "a connected API",
    form: "api.{connection}.{operation}",
    limits: ({ timeoutMs, maxTotalMs }) => ({
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(maxTotalMs === undefined ? {} : { maxTotalMs }),
    }),
  }),
});
