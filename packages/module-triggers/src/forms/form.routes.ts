import { FormAnswerSchema, FormSubmissionSchema, PublicFormSchema } from "@oven/contract/trigger";
import { addressOf, defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { FormIntake } from "./form-intake.ts";

const Params = z.object({ token: z.string().max(200) });
const BODY_LIMIT = 262_144;

/** What the page at /forms/[token] asks. */
export function formRoutes(deps: () => { forms: FormIntake }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "forms/[token]",
      operation: false,
      summary: "The questions of a form",
      access: "public",
      effect: "pure",
      params: Params,
      response: PublicFormSchema,
      handler: async ({ params }) => ok(await deps().forms.show(params.token)),
    }),
    defineRoute({
      method: "POST",
      path: "forms/[token]",
      operation: false,
      summary: "Send a form; it starts a run of its workflow",
      access: "public",
      effect: "at-least-once",
      params: Params,
      body: FormSubmissionSchema,
      bodyLimit: BODY_LIMIT,
      dataSchema: ({ params }) => deps().forms.dataSchema(params.token),
      response: FormAnswerSchema,
      handler: async ({ params, body, request }) =>
        ok(await deps().forms.submit(params.token, body, addressOf(request))),
    }),
  ];
}
