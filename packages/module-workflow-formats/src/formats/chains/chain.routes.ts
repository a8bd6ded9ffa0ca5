import {
  CancelChainSchema,
  CancelledChainsSchema,
  ChainJobSchema,
  ChainScheduleSchema,
  ChainSchema,
  ChainSpecSchema,
  ChainStatusSchema,
  ImportChainSchema,
  SetChainStatusSchema,
} from "@oven/contract/formats/chains.ts";
import { created, defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { importSource } from "../../shared/import-source.ts";
import { ownerOf } from "../../shared/owner.ts";
import type { ChainParts } from "./chain-parts.ts";
import { may, OneChain } from "./route-parts.ts";

export function chainRoutes(parts: () => ChainParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "executor-chains",
      operation: "chains.list",
      summary: "List one's chains of executors",
      access: may("read"),
      effect: "pure",
      query: z.object({ status: ChainStatusSchema.optional() }),
      response: z.array(ChainSchema),
      handler: async ({ principal, query }) => ok(await parts().chains.list(principal, query.status)),
    }),
    defineRoute({
      method: "POST",
      path: "executor-chains",
      operation: "chains.create",
      summary: "Make a chain of executors",
      description: "The whole chain is checked before anything is stored",
      access: may("create"),
      effect: "at-least-once",
      body: ChainSpecSchema,
      response: ChainSchema,
      handler: async ({ principal, body }) =>
        created(await parts().chains.create(principal, body, `user-${ownerOf(principal).userId}`)),
    }),
    defineRoute({
      method: "POST",
      path: "executor-chains/import",
      operation: "chains.import",
      summary: "Make a chain of executors from a document as text",
      description: "JSON, also with comments, `True`, triple quotes and commas at the end; errors name line and column",
      access: may("create"),
      effect: "at-least-once",
      body: ImportChainSchema,
      response: ChainSchema,
      handler: async ({ principal, body }) =>
        created(
          await importSource(body.source, ChainSpecSchema, (spec) =>
            parts().chains.create(principal, spec, `user-${ownerOf(principal).userId}`),
          ),
        ),
    }),
    defineRoute({
      method: "POST",
      path: "executor-chains/cancel",
      operation: "chains.cancel",
      summary: "Cancel a chain with its live runs, or take schedules away",
      access: may("execute"),
      effect: "idempotent",
      body: CancelChainSchema,
      response: CancelledChainsSchema,
      handler: async ({ principal, body, signal }) => ok(await parts().chains.cancel(principal, body, signal)),
    }),
    defineRoute({
      method: "GET",
      path: "executor-chains/[workflow]",
      operation: "chains.get",
      summary: "Get a chain of executors by its id or its short name",
      access: may("read"),
      effect: "pure",
      params: OneChain,
      response: ChainSchema,
      handler: async ({ principal, params }) => ok(await parts().chains.get(principal, params.workflow)),
    }),
    defineRoute({
      method: "PUT",
      path: "executor-chains/[workflow]",
      operation: "chains.update",
      summary: "Write a chain of executors anew",
      access: may("update"),
      effect: "idempotent",
      params: OneChain,
      body: ChainSpecSchema,
      response: ChainSchema,
      handler: async ({ principal, params, body }) =>
        ok(await parts().chains.replace(principal, params.workflow, body)),
    }),
    defineRoute({
      method: "DELETE",
      path: "executor-chains/[workflow]",
      operation: "chains.delete",
      summary: "Delete a chain of executors with its schedule and its runs",
      access: may("delete"),
      effect: "idempotent",
      params: OneChain,
      handler: async ({ principal, params }) => {
        await parts().chains.delete(principal, params.workflow);
        return noContent();
      },
    }),
    defineRoute({
      method: "GET",
      path: "executor-chains/[workflow]/export",
      operation: "chains.export",
      summary: "The document of a chain of executors, to be imported elsewhere",
      access: may("read"),
      effect: "pure",
      params: OneChain,
      response: ChainSpecSchema,
      handler: async ({ principal, params }) => ok(await parts().chains.export(principal, params.workflow)),
    }),
    defineRoute({
      method: "POST",
      path: "executor-chains/[workflow]/schedule",
      operation: "chains.schedule",
      summary: "Run a chain of executors now, once or again and again",
      access: may("execute"),
      effect: "at-least-once",
      params: OneChain,
      body: ChainScheduleSchema,
      response: ChainJobSchema,
      handler: async ({ principal, params, body }) =>
        ok(await parts().chains.schedule(principal, params.workflow, body)),
    }),
    defineRoute({
      method: "PUT",
      path: "executor-chains/[workflow]/status",
      operation: "chains.setStatus",
      summary: "Pause or archive a chain of executors, or make it active again",
      access: may("update"),
      effect: "idempotent",
      params: OneChain,
      body: SetChainStatusSchema,
      response: ChainSchema,
      handler: async ({ principal, params, body }) =>
        ok(await parts().chains.setStatus(principal, params.workflow, body.status)),
    }),
    defineRoute({
      method: "POST",
      path: "executor-chains/[workflow]/approve-tools",
      operation: "chains.approveTools",
      summary: "Take the tools of a chain as they are now",
      access: may("update"),
      effect: "idempotent",
      params: OneChain,
      response: ChainSchema,
      handler: async ({ principal, params }) => ok(await parts().chains.approveTools(principal, params.workflow)),
    }),
  ];
}
