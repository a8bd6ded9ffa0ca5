import { IdOrSlugSchema } from "@oven/contract";
import { AgentReplySchema, InvokeAgentSchema } from "@oven/contract/agent";
import { accepted, defineRoute, ok, type Route, readIdempotencyKey, toOvenError } from "@oven/module-registry";
import { z } from "zod";
import type { AgentRunner } from "../agents/agent-runner.ts";
import { keepToAgents } from "../agents/bound-to.ts";
import type { InvokeService } from "../invoke/invoke-service.ts";
import { streamReply } from "../invoke/reply-stream.ts";

const STREAM_MS = 3_600_000;
const access = { permission: "agents.invoke" };

/** None is an operation: an agent calls another one through agent.subagent, which counts how deep. */
export function invokeRoutes(deps: () => { invoke: InvokeService; runner: AgentRunner }): Route[] {
  return keepToAgents([
    defineRoute({
      method: "POST",
      path: "agents/[slug]/invoke",
      operation: false,
      summary: "Say something to an agent, and get its answer",
      description:
        "Every call is a run. 200 and the reply when it ended or waits for a person within `wait` seconds, else 202 and its handle. With `Accept: text/event-stream` the answer as it comes. `Idempotency-Key` makes repeats safe.",
      access,
      effect: "at-least-once",
      params: z.object({ slug: IdOrSlugSchema }),
      body: InvokeAgentSchema,
      response: AgentReplySchema,
      handler: async ({ principal, params, body, request, signal }) => {
        const { invoke, runner } = deps();
        const executionId = await invoke.start(principal, params.slug, body, readIdempotencyKey(request));
        const reply = () => invoke.reply(principal, executionId);
        if (request.headers.get("accept")?.includes("text/event-stream"))
          return streamReply({
            executionId,
            signal,
            reply,
            follow: (onEvents, watching) =>
              runner.follow(principal, executionId, { milliseconds: STREAM_MS, signal: watching, onEvents }),
            toError: (error) => ({ ...toOvenError(error).toBody().error }),
          });
        const settled = await runner.follow(principal, executionId, { milliseconds: body.wait * 1_000, signal });
        return settled ? ok(await reply()) : accepted(await reply());
      },
    }),
    defineRoute({
      method: "GET",
      path: "agents/[slug]/runs/[id]",
      operation: false,
      summary: "What has become of an agent's run: the reply, as `invoke` gives it",
      access,
      effect: "pure",
      params: z.object({ slug: IdOrSlugSchema, id: z.coerce.number().int().positive() }),
      query: z.object({ wait: z.coerce.number().int().min(0).max(60).default(0) }),
      response: AgentReplySchema,
      handler: async ({ principal, params, query, signal }) => {
        const { invoke, runner } = deps();
        await invoke.requireRun(principal, params.slug, params.id);
        await runner.follow(principal, params.id, { milliseconds: query.wait * 1_000, signal });
        return ok(await invoke.reply(principal, params.id));
      },
    }),
  ]);
}
