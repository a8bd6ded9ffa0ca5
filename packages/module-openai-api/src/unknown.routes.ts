import { OvenError } from "@oven/contract";
import { defineRoute, type Route } from "@oven/module-registry";
import { openAiErrors } from "./errors/openai-errors.ts";

/** What else OpenAI's API has is refused in its own shape. */
export function unknownRoutes(): Route[] {
  return (["GET", "POST", "DELETE"] as const).map((method) =>
    defineRoute({
      method,
      path: "v1/[...path]",
      operation: false,
      summary: "What is not offered of OpenAI's API: 404",
      access: "session",
      keepsToWorkflows: true,
      effect: "pure",
      errors: openAiErrors,
      raw: true,
      handler: async ({ request }) => {
        throw new OvenError(
          "NOT_FOUND",
          `${method} ${new URL(request.url).pathname.replace("/api", "")} is not offered`,
          {
            status: 404,
            fix: "There are GET /v1/models, POST /v1/chat/completions and POST /v1/responses.",
          },
        );
      },
    }),
  );
}
