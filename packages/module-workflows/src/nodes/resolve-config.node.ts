import { JsonSchema } from "@oven/contract";
import { ConfigSourceSchema } from "@oven/contract/system";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";

export const resolveConfigNode = defineNode({
  id: "core.resolveConfig",
  version: 1,
  title: "Read configuration",
  docs: "Answers the value of a module's configuration key for the tenant of this run, and which level it comes from. `scopeId` asks for one instance, such as a workflow's id.",
  category: "core",
  kind: "data",
  effect: "pure",
  input: z.strictObject({
    moduleName: z.string().min(1).describe("Such as module-workflows"),
    key: z.string().min(1),
    scopeId: z
      .union([z.string().min(1), z.int()])
      .optional()
      .describe("One instance, such as a workflow's id"),
  }),
  output: z.strictObject({ value: JsonSchema, source: ConfigSourceSchema }),
  async run({ input, principal, services }) {
    const { moduleName, key, scopeId } = input;
    const instance = scopeId === undefined ? undefined : String(scopeId);
    const { value, source } = await services.config.resolve({
      module: moduleName,
      key,
      tenantId: principal.tenantId,
      instance,
    });
    return done({ value, source });
  },
});
