import { ImageOptionsSchema, ImagesAnswerSchema } from "@oven/contract/ai";
import { callerOf } from "@oven/module-ai";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { NO_RUN } from "@oven/module-workflows";
import { keepImages } from "./stored-images.ts";

/** No operation: as a tool it is `ai.generateImage`, as a node `agent.imageGen`. */
export const imageRoutes: Route[] = [
  defineRoute({
    method: "POST",
    path: "ai/images",
    operation: false,
    summary: "Make images; the answer has references that `/api/blobs/{$blob}` shows",
    description: "They are of no run, and stay as long as the details of one.",
    access: { permission: "ai.generate" },
    body: ImageOptionsSchema,
    response: ImagesAnswerSchema,
    effect: "at-least-once",
    handler: async ({ body, principal, signal, services }) => {
      const position = { ...NO_RUN, tenantId: principal.tenantId };
      return ok(await keepImages(services, body, position, { caller: callerOf(principal, undefined), signal }));
    },
  }),
];
