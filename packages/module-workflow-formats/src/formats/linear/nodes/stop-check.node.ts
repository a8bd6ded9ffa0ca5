import { isOvenError, JsonSchema } from "@oven/contract";
import { StopConditionSchema } from "@oven/contract/formats/linear.ts";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import type { DataInstances } from "../data-instances.ts";
import { isMet, judgeCondition, toJson } from "../stop-conditions.ts";

/** @param instances asked for at each run */
export const createStopCheckNode = (instances: () => DataInstances) =>
  defineNode({
    id: "data.stopCheck",
    version: 1,
    title: "Stop check",
    docs: [
      "Compares values in data containers of this run with what would stop it. One condition that is met is enough.",
      "",
      "Answers `stop` and, for each condition, the value found, whether it is met and why it could not be told. A path that finds nothing is not met.",
    ].join("\n"),
    category: "data",
    kind: "flow",
    effect: "pure",
    input: z.strictObject({ conditions: z.array(StopConditionSchema).describe("Any of them stops the run") }),
    output: z.strictObject({ stop: z.boolean(), results: z.array(JsonSchema) }),
    async run({ input, node, principal }) {
      const results = [];
      for (const condition of input.conditions) {
        const container = condition.datacontainer_definition_uuid;
        try {
          const { rawData } = await instances().newest(principal.tenantId, node.executionId, container);
          results.push(judgeCondition(condition, rawData as never)); // cast: written as JSON
        } catch (error) {
          if (!isOvenError(error) || error.code !== "DATA_MISSING") throw error;
          results.push({ ...judgeCondition(condition, undefined), note: error.message });
        }
      }
      return done({ stop: isMet(results), results: toJson(results) });
    },
  });
