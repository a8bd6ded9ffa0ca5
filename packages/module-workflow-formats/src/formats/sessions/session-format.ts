import type { JsonObject } from "@oven/contract";
import type { SessionGraph } from "@oven/contract/formats/sessions.ts";
import type { Definition } from "@oven/contract/workflow";
import type { FormatDocuments } from "../../shared/define-format.ts";
import { importGraph } from "./import-graph.ts";
import type { SessionParts } from "./session-parts.ts";

const toRow = ({ graph_id, name, agent_workflow_id, updated_at }: SessionGraph) => ({
  ...{ id: graph_id, name, agent_workflow_id, updated_at },
});

export function sessionDocuments({ graphs }: SessionParts): FormatDocuments {
  return {
    list: async (principal) => (await graphs.list(principal)).map(toRow),
    get: async (principal, id) => toRow(await graphs.get(principal, id)),
    export: async (principal, id) => (await graphs.export(principal, id)) as JsonObject, // cast: it is JSON
    import: (principal, source) => importGraph(source, async (spec) => toRow(await graphs.create(principal, spec))),
    compile: (_, source) =>
      importGraph(source, async (spec) => {
        const { definition, warnings } = graphs.compile(spec);
        return { definition: toJson(definition), warnings };
      }),
  };
}

const toJson = (definition: Definition) => definition as unknown as JsonObject; // cast: a definition is JSON
