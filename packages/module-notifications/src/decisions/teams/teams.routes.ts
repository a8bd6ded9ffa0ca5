import { defineRoute, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { TeamsIntake } from "./teams-intake.ts";

const Params = z.object({ key: z.string().max(100) });

/** Where the Bot Connector posts presses on buttons. There is no GET: opening an address decides nothing. */
export function teamsRoutes(deps: () => { teams: TeamsIntake }): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "decisions/teams/[key]",
      operation: false,
      summary: "Messaging endpoint of a bot of Microsoft Teams: decide a review by a button",
      description:
        "Of a rule whose channel is `teams`. Each request carries a token of the Bot Connector for this bot.",
      access: "public",
      params: Params,
      raw: true,
      handler: ({ params, request }) => deps().teams.take(params.key, request),
    }),
  ];
}
