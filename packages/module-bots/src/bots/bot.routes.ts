import { BotSchema, CreateBotSchema, TestBotSchema, UpdateBotSchema } from "@oven/contract/agent";
import { defineRoute, ok, type Route, rowRoutes } from "@oven/module-registry";
import { z } from "zod";
import type { BotService } from "./bot-service.ts";

const Params = z.object({ id: z.coerce.number().int().positive() });

export function botRoutes(deps: () => { bots: BotService }): Route[] {
  return [
    ...rowRoutes({
      path: "bots",
      operation: "bots",
      changes: { needsApproval: true },
      permission: (action) => `bots.${action}`,
      summaries: {
        list: "List the bots in Slack and Microsoft Teams",
        create: "Connect a bot",
        get: "Get a bot",
        update: "Change a bot",
        delete: "Delete a bot with its messages; conversations and runs stay",
      },
      params: Params,
      row: BotSchema,
      create: CreateBotSchema,
      update: UpdateBotSchema,
      rows: () => deps().bots,
    }),
    defineRoute({
      method: "POST",
      path: "bots/[id]/test",
      operation: "bots.test",
      summary: "Post a test message; what does not work is in `lastError`",
      access: { permission: "bots.update" },
      effect: "at-least-once",
      needsApproval: true,
      params: Params,
      body: TestBotSchema,
      response: BotSchema,
      handler: async ({ principal, params, body }) =>
        ok(await deps().bots.test(principal, params.id, body.conversation)),
    }),
  ];
}
