import { defineRoute, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { SlackIntake } from "./slack-intake.ts";

const Params = z.object({ key: z.string().max(100) });

/** Where Slack posts presses on buttons. There is no GET: opening an address decides nothing. */
export function slackRoutes(deps: () => { slack: SlackIntake }): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "decisions/slack/[key]",
      operation: false,
      summary: "Interactivity of a Slack app: decide a review by a button",
      description:
        "The Request URL of a rule whose channel is `slack-app`. Signed as Slack signs, within five minutes.",
      access: "public",
      params: Params,
      // The signature is of the bytes.
      raw: true,
      handler: ({ params, request }) => deps().slack.take(params.key, request),
    }),
  ];
}
