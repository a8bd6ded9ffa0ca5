import { AccountLinkSchema, AccountLinkTokenSchema, LinkedAccountSchema } from "@oven/contract/system";
import { created, defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { AccountLinks } from "./account-links.ts";

const OWN = { permission: "notifications.read" };
const Params = z.object({ id: z.coerce.number().int().positive() });

/** The caller's own accounts in messengers. */
export function linkedAccountRoutes(deps: () => { links: AccountLinks }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "account/linked-accounts",
      operation: false,
      summary: "Your accounts in messengers that decide in your name",
      access: OWN,
      effect: "pure",
      response: z.array(LinkedAccountSchema),
      handler: async ({ principal }) => ok(await deps().links.list(principal)),
    }),
    defineRoute({
      method: "GET",
      path: "account/linked-accounts/link",
      operation: false,
      summary: "Which account an address would link to you; it links nothing",
      access: OWN,
      effect: "pure",
      query: AccountLinkTokenSchema,
      response: AccountLinkSchema,
      handler: async ({ principal, query }) => ok(await deps().links.show(principal, query.token)),
    }),
    defineRoute({
      method: "POST",
      path: "account/linked-accounts",
      operation: false,
      summary: "Let an account decide in your name; the address is used up",
      access: OWN,
      body: AccountLinkTokenSchema,
      response: LinkedAccountSchema,
      handler: async ({ principal, body }) => created(await deps().links.confirm(principal, body.token)),
    }),
    defineRoute({
      method: "DELETE",
      path: "account/linked-accounts/[id]",
      operation: false,
      summary: "Unlink an account of yours",
      access: OWN,
      effect: "idempotent",
      params: Params,
      handler: async ({ principal, params }) => {
        await deps().links.remove(principal, params.id);
        return noContent();
      },
    }),
  ];
}
