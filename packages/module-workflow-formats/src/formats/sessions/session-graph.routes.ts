import type { JsonObject } from "@oven/contract";
import { WorkflowIdSchema } from "@oven/contract/format";
import {
  GraphSessionSchema,
  ImportNeo4jGraphSchema,
  ImportSessionGraphSchema,
  SessionGraphSchema,
  SessionGraphSpecSchema,
} from "@oven/contract/formats/sessions.ts";
import { accepted, created, defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { parseSource } from "../../shared/import-source.ts";
import { importGraph } from "./import-graph.ts";
import type { SessionParts } from "./session-parts.ts";

const may = (action: string) => ({ permission: `session-graphs.${action}` });
const OneGraph = z.object({ graph: WorkflowIdSchema });

export function sessionGraphRoutes(parts: () => SessionParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "session-graphs",
      operation: "sessionGraphs.list",
      summary: "List one's session graphs",
      access: may("read"),
      effect: "pure",
      response: z.array(SessionGraphSchema),
      handler: async ({ principal }) => ok(await parts().graphs.list(principal)),
    }),
    defineRoute({
      method: "POST",
      path: "session-graphs",
      operation: "sessionGraphs.create",
      summary: "Make a session graph",
      description: "The whole graph is checked before anything is stored",
      access: may("create"),
      effect: "at-least-once",
      bodyLimit: 8 * 1_048_576,
      body: SessionGraphSpecSchema,
      response: SessionGraphSchema,
      handler: async ({ principal, body }) => created(await parts().graphs.create(principal, body)),
    }),
    defineRoute({
      method: "POST",
      path: "session-graphs/import",
      operation: "sessionGraphs.import",
      summary: "Make a session graph from a document as text",
      description: "JSON, also with comments and commas at the end; errors name line, column and path",
      access: may("create"),
      effect: "at-least-once",
      bodyLimit: 8 * 1_048_576,
      body: ImportSessionGraphSchema,
      response: SessionGraphSchema,
      handler: async ({ principal, body }) =>
        created(await importGraph(body.source, (spec) => parts().graphs.create(principal, spec))),
    }),
    defineRoute({
      method: "POST",
      path: "session-graphs/import-neo4j",
      operation: "sessionGraphs.importNeo4j",
      summary: "Make a session graph of the STEP nodes and NEXT relationships in Neo4j",
      description: "Reads the database that an operator opened to the tenant (`OVEN_NEO4J_URL`), once",
      access: may("create"),
      effect: "at-least-once",
      body: ImportNeo4jGraphSchema,
      response: SessionGraphSchema,
      handler: async ({ principal, body: { graph = null, ...more } }) => {
        // cast: what is absent is not there, and the others are JSON
        const document = await parts().neo4j.read(principal.tenantId, graph, more as JsonObject);
        return created(await parts().graphs.create(principal, parseSource(document, SessionGraphSpecSchema)));
      },
    }),
    defineRoute({
      method: "GET",
      path: "session-graphs/[graph]",
      operation: "sessionGraphs.get",
      summary: "Get a session graph",
      access: may("read"),
      effect: "pure",
      params: OneGraph,
      response: SessionGraphSchema,
      handler: async ({ principal, params }) => ok(await parts().graphs.get(principal, params.graph)),
    }),
    defineRoute({
      method: "PUT",
      path: "session-graphs/[graph]",
      operation: "sessionGraphs.replace",
      summary: "Write a session graph anew",
      description: "Sessions that go on keep the graph they began with",
      access: may("update"),
      effect: "idempotent",
      params: OneGraph,
      bodyLimit: 8 * 1_048_576,
      body: SessionGraphSpecSchema,
      response: SessionGraphSchema,
      handler: async ({ principal, params, body }) => ok(await parts().graphs.replace(principal, params.graph, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "session-graphs/[graph]",
      operation: "sessionGraphs.delete",
      summary: "Delete a session graph with its sessions",
      access: may("delete"),
      effect: "idempotent",
      params: OneGraph,
      handler: async ({ principal, params }) => {
        await parts().graphs.delete(principal, params.graph);
        return noContent();
      },
    }),
    defineRoute({
      method: "GET",
      path: "session-graphs/[graph]/export",
      operation: "sessionGraphs.export",
      summary: "A session graph as it was written",
      access: may("read"),
      effect: "pure",
      params: OneGraph,
      response: SessionGraphSpecSchema,
      handler: async ({ principal, params }) => ok(await parts().graphs.export(principal, params.graph)),
    }),
    defineRoute({
      method: "POST",
      path: "session-graphs/[graph]/sessions",
      operation: "sessionGraphs.start",
      summary: "Start a session of a graph",
      access: may("execute"),
      effect: "at-least-once",
      params: OneGraph,
      response: GraphSessionSchema,
      handler: async ({ principal, params }) => accepted(await parts().sessions.start(principal, params.graph)),
    }),
    defineRoute({
      method: "GET",
      path: "session-graphs/[graph]/sessions",
      operation: "sessionGraphs.listSessions",
      summary: "The latest sessions of a graph, with their states",
      access: may("read"),
      effect: "pure",
      params: OneGraph,
      response: z.array(GraphSessionSchema),
      handler: async ({ principal, params }) => ok(await parts().sessions.list(principal, params.graph)),
    }),
  ];
}
