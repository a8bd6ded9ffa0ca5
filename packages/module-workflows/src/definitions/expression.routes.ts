import { CelCheckSchema, CelLanguageSchema, CheckCelBodySchema } from "@oven/contract/workflow";
import { celLanguage, checkCel } from "@oven/engine";
import { defineRoute, ok, type Route } from "@oven/module-registry";

/** What those who write expressions need: they are read by the engine alone. */
export function expressionRoutes(): Route[] {
  const access = { permission: "system.read" };
  return [
    defineRoute({
      method: "GET",
      path: "expressions/cel",
      operation: false,
      summary: "What a CEL expression can name: variables, functions, methods and macros",
      access,
      effect: "pure",
      response: CelLanguageSchema,
      handler: async () => ok(celLanguage()),
    }),
    defineRoute({
      method: "POST",
      path: "expressions/cel/check",
      operation: false,
      summary: "Say whether a text is a CEL expression, and where it is not",
      access,
      effect: "pure",
      body: CheckCelBodySchema,
      response: CelCheckSchema,
      handler: async ({ body }) => ok(checkCel(body.expression)),
    }),
  ];
}
