import { isOvenError, type Json, JsonSchema, readJson } from "@oven/contract";
import { callerOf } from "@oven/module-ai";
import { defineNode, done, toToolRun } from "@oven/module-registry";
import { z } from "zod";
import { toStepInstanceUuid } from "../../../shared/source-ids.ts";
import { type DataInstances, referenceOf } from "../data-instances.ts";

const Uuid = z.uuid();

/** @param instances asked for at each run */
export const createDataStoreNode = (instances: () => DataInstances) =>
  defineNode({
    id: "data.store",
    version: 1,
    title: "Keep data",
    docs: [
      "Keeps a value as the newest one of a data container in this run, with a short summary that a model writes first.",
      "",
      "Answers `{uuid, summary}`: `| full` reads the content behind it, `| compressed` hands on the two as they are.",
      "Text that is JSON as a whole is kept as JSON, with the text beside it for display.",
    ].join("\n"),
    category: "data",
    kind: "data",
    effect: "idempotent",
    reads: ["$.messages"],
    input: z.strictObject({
      container: Uuid.describe("The data container"),
      raw: JsonSchema.describe("What to keep"),
      step: z.int().nonnegative().optional().describe("The place of the step that made it"),
      read: z.record(z.string(), JsonSchema).optional().describe("What the step had read, for the record"),
    }),
    output: z.strictObject({ uuid: Uuid, summary: z.string() }),
    async run(context) {
      const { input, node, principal, signal } = context;
      const { raw, markdown } = parse(input.raw as Json); // cast: inputs are JSON
      const { row, spend } = await instances().create(
        {
          tenantId: principal.tenantId,
          userId: principal.userId ?? 0,
          executionId: node.executionId,
          container: input.container,
          raw,
          markdown,
          stepInstance: input.step === undefined ? null : toStepInstanceUuid(node.executionId, input.step),
          messages: input.step === undefined ? null : (context.read("$.messages") ?? null),
          madeBy: `${node.nodeId}:${node.visit}`,
        },
        { caller: callerOf(principal, toToolRun(context)), signal },
      );
      return done(
        referenceOf(row) as { uuid: string; summary: string },
        spend === null
          ? {}
          : { spend: { tokenUsage: spend.usage, costMicros: spend.costMicros, simulated: spend.simulated } },
      );
    },
  });

/** What a model says as text is JSON where all of it is; a number in it that would be changed is text. */
function parse(raw: Json): { raw: Json; markdown: string | null } {
  if (typeof raw !== "string") return { raw, markdown: null };
  try {
    return { raw: readJson(raw).value, markdown: raw };
  } catch (error) {
    if (!(error instanceof SyntaxError || isOvenError(error))) throw error;
    return { raw, markdown: raw };
  }
}
