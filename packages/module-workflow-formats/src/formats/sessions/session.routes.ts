import { JsonSchema } from "@oven/contract";
import { AnswerSessionSchema, GraphSessionSchema, SessionStateSchema } from "@oven/contract/formats/sessions.ts";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { SessionParts } from "./session-parts.ts";

const may = (action: string) => ({ permission: `session-graphs.${action}` });
const OneSession = z.object({ session: z.string().min(1).max(100) });

export function sessionRoutes(parts: () => SessionParts): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "graph-sessions/[session]",
      operation: "graphSessions.get",
      summary: "A session of a graph: its state, and what it waits for",
      access: may("read"),
      effect: "pure",
      params: OneSession,
      response: GraphSessionSchema,
      handler: async ({ principal, params }) => ok(await parts().sessions.get(principal, params.session)),
    }),
    defineRoute({
      method: "GET",
      path: "graph-sessions/[session]/state",
      operation: "graphSessions.getState",
      summary: "The state of a session as its document has it",
      access: may("read"),
      effect: "pure",
      params: OneSession,
      response: SessionStateSchema,
      handler: async ({ principal, params }) => ok(await parts().sessions.state(principal, params.session)),
    }),
    defineRoute({
      method: "PUT",
      path: "graph-sessions/[session]/state",
      operation: "graphSessions.writeState",
      summary: "Write the state of a session, which goes on from there",
      description:
        "What became active starts, what became complete is gone on from, what waits is tried again. A session that has ended is taken up again. `last_evaluated`, when given, must be as it was read.",
      access: may("execute"),
      effect: "at-least-once",
      params: OneSession,
      bodyLimit: 8 * 1_048_576,
      body: JsonSchema,
      response: GraphSessionSchema,
      handler: async ({ principal, params, body, signal }) =>
        ok(await parts().sessions.write(principal, params.session, body, signal)),
    }),
    defineRoute({
      method: "POST",
      path: "graph-sessions/[session]/input",
      operation: "graphSessions.answer",
      summary: "Give a step the input that it asks for",
      access: may("execute"),
      effect: "at-most-once",
      params: OneSession,
      bodyLimit: 8 * 1_048_576,
      body: AnswerSessionSchema,
      response: GraphSessionSchema,
      handler: async ({ principal, params, body, signal }) =>
        ok(await parts().sessions.answer(principal, params.session, body, signal)),
    }),
    defineRoute({
      method: "POST",
      path: "graph-sessions/[session]/steps/[step]/retry",
      operation: "graphSessions.retryStep",
      summary: "Run a step again that failed; the session goes on from it",
      access: may("execute"),
      effect: "at-least-once",
      params: OneSession.extend({ step: z.string().min(1).max(64) }),
      response: GraphSessionSchema,
      handler: async ({ principal, params, signal }) =>
        ok(await parts().sessions.retry(principal, params.session, params.step, signal)),
    }),
    defineRoute({
      method: "POST",
      path: "graph-sessions/[session]/cancel",
      operation: "graphSessions.cancel",
      summary: "Cancel a session",
      access: may("execute"),
      effect: "idempotent",
      params: OneSession,
      response: GraphSessionSchema,
      handler: async ({ principal, params, signal }) =>
        ok(await parts().sessions.cancel(principal, params.session, signal)),
    }),
  ];
}
