import { NodeCategorySchema, NodeTypeSchema } from "@oven/contract/node";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { RegisteredNodes } from "./node-catalog.ts";

export function nodeTypeRoutes(deps: () => { nodes: RegisteredNodes }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "node-types",
      operation: false,
      summary: "Every node type with its schemas; `grouped=true` answers an object by category",
      access: { permission: "system.read" },
      query: z.object({
        module: z.string().optional(),
        category: NodeCategorySchema.optional(),
        grouped: z.enum(["true", "false"]).optional(),
      }),
      response: z.union([z.array(NodeTypeSchema), z.record(z.string(), z.array(NodeTypeSchema))]),
      handler: async ({ query }) => {
        const types = deps()
          .nodes.types()
          .filter((type) => query.module === undefined || type.module === query.module)
          .filter((type) => query.category === undefined || type.category === query.category);
        return ok(query.grouped === "true" ? Object.groupBy(types, ({ category }) => category) : types);
      },
    }),
  ];
}
