import { OvenError } from "@oven/contract";
import { WorkflowIdSchema } from "@oven/contract/format";
import {
  ImportRoutedGraphSchema,
  RoutedConversationSchema,
  RoutedGraphSchema,
  RoutedGraphSpecSchema,
  RoutedTurnSchema,
} from "@oven/contract/formats/routed.ts";
import { accepted, created, defineRoute, noContent, ok, type Route, requirePermission } from "@oven/module-registry";
import { z } from "zod";
import { importSource } from "../../shared/import-source.ts";
import type { RoutedParts } from "./routed-parts.ts";

const may = (action: string) => ({ permission: `routed-graphs.${action}` });
const OneGraph = z.object({ graph: z.string().min(1).max(100) });
const OneConversation = z.object({ conversation: WorkflowIdSchema });
const BODY_LIMIT = 8 * 1_048_576;

export function routedRoutes(parts: () => RoutedParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "routed-graphs",
      operation: "routedGraphs.list",
      summary: "List one's routed graphs",
      access: may("read"),
      effect: "pure",
      response: z.array(RoutedGraphSchema),
      handler: async ({ principal }) => ok(await parts().graphs.list(principal)),
    }),
    defineRoute({
      method: "POST",
      path: "routed-graphs",
      operation: "routedGraphs.import",
      summary: "Make or replace a routed graph from its document as text",
      description: "By the id in it. Errors name line, column and path; what is no longer in the document is gone",
      access: may("create"),
      effect: "idempotent",
      bodyLimit: BODY_LIMIT,
      body: ImportRoutedGraphSchema,
      response: RoutedGraphSchema,
      handler: async ({ principal, body }) => {
        requirePermission(principal, "routed-graphs.update");
        const { graphs } = parts();
        const result = await importSource(body.source, RoutedGraphSpecSchema, (spec) =>
          graphs.put(principal, spec, body.repair),
        );
        return result.created ? created(result.graph) : ok(result.graph);
      },
    }),
    defineRoute({
      method: "GET",
      path: "routed-graphs/[graph]",
      operation: "routedGraphs.get",
      summary: "Get a routed graph by the id of its document",
      access: may("read"),
      effect: "pure",
      params: OneGraph,
      response: RoutedGraphSchema,
      handler: async ({ principal, params }) => ok(await parts().graphs.get(principal, params.graph)),
    }),
    defineRoute({
      method: "PUT",
      path: "routed-graphs/[graph]",
      operation: "routedGraphs.put",
      summary: "Make a routed graph, or put a document in its place",
      description: "What is no longer in the document is gone. Runs that go on keep the graph they began with",
      access: may("update"),
      effect: "idempotent",
      params: OneGraph,
      bodyLimit: BODY_LIMIT,
      body: RoutedGraphSpecSchema,
      response: RoutedGraphSchema,
      handler: async ({ principal, params, body }) => {
        requirePermission(principal, "routed-graphs.create");
        if (body.id !== params.graph) {
          throw new OvenError("SOURCE_INVALID", `The document is that of ${body.id}`, {
            status: 422,
            path: "$.id",
            fix: `Write ${JSON.stringify(params.graph)}, or send it to its own address.`,
          });
        }
        const result = await parts().graphs.put(principal, body);
        return result.created ? created(result.graph) : ok(result.graph);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "routed-graphs/[graph]",
      operation: "routedGraphs.delete",
      summary: "Delete a routed graph with its conversations",
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
      path: "routed-graphs/[graph]/export",
      operation: "routedGraphs.export",
      summary: "A routed graph as it was written",
      access: may("read"),
      effect: "pure",
      params: OneGraph,
      response: RoutedGraphSpecSchema,
      handler: async ({ principal, params }) => ok(await parts().graphs.export(principal, params.graph)),
    }),
    defineRoute({
      method: "POST",
      path: "routed-graphs/[graph]/conversations",
      operation: "routedGraphs.start",
      summary: "Begin a conversation with a routed graph",
      access: may("execute"),
      effect: "at-least-once",
      params: OneGraph,
      body: RoutedTurnSchema,
      response: RoutedConversationSchema,
      handler: async ({ principal, params, body }) =>
        accepted(await parts().conversations.start(principal, params.graph, body.message)),
    }),
    defineRoute({
      method: "GET",
      path: "routed-graphs/[graph]/conversations",
      operation: "routedGraphs.listConversations",
      summary: "The latest conversations with a routed graph",
      access: may("read"),
      effect: "pure",
      params: OneGraph,
      response: z.array(RoutedConversationSchema),
      handler: async ({ principal, params }) => ok(await parts().conversations.list(principal, params.graph)),
    }),
    defineRoute({
      method: "GET",
      path: "routed-conversations/[conversation]",
      operation: "routedGraphs.getConversation",
      summary: "A conversation with all that was said",
      access: may("read"),
      effect: "pure",
      params: OneConversation,
      response: RoutedConversationSchema,
      handler: async ({ principal, params }) => ok(await parts().conversations.get(principal, params.conversation)),
    }),
    defineRoute({
      method: "POST",
      path: "routed-conversations/[conversation]/messages",
      operation: "routedGraphs.say",
      summary: "Go on with a conversation, once its last turn has ended",
      access: may("execute"),
      effect: "at-least-once",
      params: OneConversation,
      body: RoutedTurnSchema,
      response: RoutedConversationSchema,
      handler: async ({ principal, params, body }) =>
        accepted(await parts().conversations.say(principal, params.conversation, body.message)),
    }),
  ];
}
