import { JsonSchema, OvenError } from "@oven/contract";
import { defineTool } from "@oven/module-registry";
import { z } from "zod";
import { contentOf, type DataInstances } from "../data-instances.ts";

/** @param instances asked for at each call */
export const createDataGetTool = (instances: () => DataInstances) =>
  defineTool({
    id: "data.get",
    title: "Read data",
    description: "Reads the whole content behind a {uuid, summary} of this run",
    input: z.strictObject({ uuid: z.uuid().describe("The uuid beside the summary") }),
    output: z.strictObject({ content: JsonSchema }),
    effect: "pure",
    permission: "linear-workflows.read",
    async run({ input, principal, run }) {
      if (run === undefined)
        throw new OvenError("DATA_MISSING", "data.get reads data of the run that calls it, and no run does", {
          status: 404,
        });
      return { content: contentOf(await instances().get(principal, input.uuid, run.executionId)) };
    },
  });
