import { defineRoute, type Reply, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { BotIntake } from "./bot-intake.ts";

const Params = z.object({ key: z.string().max(100) });

/** Where messengers send messages and presses on buttons. */
export function intakeRoutes(deps: () => { intake: BotIntake }): Route[] {
  const door = (path: string, summary: string, handle: (key: string, request: Request) => Promise<Reply>): Route =>
    defineRoute({
      method: "POST",
      path,
      operation: false,
      summary,
      access: "public",
      params: Params,
      // What proves the sender is of the bytes.
      raw: true,
      handler: ({ params, request }) => handle(params.key, request),
    });
  return [
    door("bots/slack/[key]/events", "Events of a Slack app: messages to a bot", (key, request) =>
      deps().intake.slackEvent(key, request),
    ),
    door(
      "bots/slack/[key]/actions",
      "Interactivity of a Slack app: decide a review of a bot's answer",
      (key, request) => deps().intake.slackAction(key, request),
    ),
    door("bots/teams/[key]", "Messaging endpoint of a bot of Microsoft Teams", (key, request) =>
      deps().intake.teamsActivity(key, request),
    ),
  ];
}
