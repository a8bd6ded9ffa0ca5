import type { JsonObject } from "@oven/contract";
import { type RoutedGraph, RoutedGraphSpecSchema } from "@oven/contract/formats/routed.ts";
import type { FormatDocuments } from "../../shared/define-format.ts";
import { importSource } from "../../shared/import-source.ts";
import type { RoutedParts } from "./routed-parts.ts";

const toRow = ({ id, name, agentWorkflowId, updatedAt }: RoutedGraph) => ({
  ...{ id, name, agent_workflow_id: agentWorkflowId, updated_at: updatedAt },
});

export function routedDocuments({ graphs }: RoutedParts): FormatDocuments {
  return {
    list: async (principal) => (await graphs.list(principal)).map(toRow),
    get: async (principal, id) => toRow(await graphs.get(principal, id)),
    export: async (principal, id) => (await graphs.export(principal, id)) as unknown as JsonObject, // cast: it is JSON
    import: (principal, source) =>
      importSource(source, RoutedGraphSpecSchema, async (spec) => toRow((await graphs.put(principal, spec)).graph)),
    compile: (principal, source) =>
      importSource(source, RoutedGraphSpecSchema, async (spec) => {
        const definition = await graphs.compile(principal, spec);
        return { definition: definition as unknown as JsonObject, warnings: [] }; // cast: a definition is JSON
      }),
  };
}
