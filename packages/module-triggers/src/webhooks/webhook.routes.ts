import { defineRoute, type Route } from "@oven/module-registry";
import { z } from "zod";
import { WEBHOOK_METHODS } from "./webhook-config.ts";
import type { WebhookIntake } from "./webhook-intake.ts";

const Params = z.object({ token: z.string().max(200) });

/** Where strangers post. Who may, the trigger's own settings say. */
export function webhookRoutes(deps: () => { webhooks: WebhookIntake }): Route[] {
  return WEBHOOK_METHODS.map((method) =>
    defineRoute({
      method,
      path: "hooks/[token]",
      operation: false,
      summary: `Deliver to a webhook trigger by ${method}`,
      description:
        "Any content type. 202 with `deliveryId` and `executionId`, or what the trigger's author made the answer. The same id with the same body: 200; with another one: 409. 429 with Retry-After when there is no room.",
      access: "public",
      effect: "at-least-once",
      params: Params,
      // The signature is of the bytes; how many may come, the trigger says.
      raw: true,
      handler: ({ params, request }) => deps().webhooks.take(params.token, request),
    }),
  );
}
