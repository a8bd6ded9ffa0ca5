import {
  ApiAccountOwnerSchema,
  ApiAccountSchema,
  ApiAuthorizationSchema,
  ConnectApiAccountSchema,
} from "@oven/contract/api";
import { defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import { SHARED } from "../accounts/account-store.ts";
import { UPDATE_PERMISSION } from "../accounts/sign-in-service.ts";
import { USE_PERMISSION } from "../operations/operation-catalogue.ts";
import { ConnectionParams, type RouteDeps } from "./route-deps.ts";

const OwnerParams = ConnectionParams.extend({ userId: z.coerce.number().int().nonnegative() });
const own = { permission: USE_PERMISSION };

/** Accounts at connected APIs: the caller's own, and who has connected one. */
export function accountRoutes(deps: () => RouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "api-accounts",
      operation: false,
      summary: "List where the caller may connect an account of their own, and where they have",
      access: own,
      response: z.array(ApiAccountSchema),
      handler: async ({ principal }) => ok(await deps().accounts.mine(principal)),
    }),
    defineRoute({
      method: "PUT",
      path: "api-connections/[id]/account",
      operation: false,
      summary: "Connect the caller's own account by a key of theirs",
      access: own,
      params: ConnectionParams,
      body: ConnectApiAccountSchema,
      response: ApiAccountSchema,
      handler: async ({ principal, params, body }) =>
        ok(await deps().accounts.connect(principal, params.id, body.value)),
    }),
    defineRoute({
      method: "DELETE",
      path: "api-connections/[id]/account",
      operation: false,
      summary: "Disconnect the caller's own account",
      access: own,
      params: ConnectionParams,
      handler: async ({ principal, params }) => {
        await deps().accounts.disconnect(principal, params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "POST",
      path: "api-connections/[id]/account/authorize",
      operation: false,
      summary: "Begin to sign the caller's own account in at a service",
      access: own,
      params: ConnectionParams,
      response: ApiAuthorizationSchema,
      handler: async ({ principal, params }) => ok({ url: await deps().accounts.begin(principal, params.id) }),
    }),
    defineRoute({
      method: "GET",
      path: "api-connections/[id]/sign-in",
      operation: false,
      summary: "Where a service sends a person back to",
      access: own,
      effect: "at-most-once",
      params: ConnectionParams,
      query: z.object({ code: z.string().optional(), state: z.string().default(""), error: z.string().optional() }),
      handler: async ({ principal, params, query, signal }) => {
        const { connections, signIns, accounts, publicUrl } = deps();
        const row = await connections.row(principal, params.id);
        const owner = await signIns.finish(principal, row, query, signal);
        if (owner !== SHARED) await accounts.goOn(principal, params.id);
        const page = owner === SHARED ? `api-connections/${params.id}/show` : "account";
        return new Response(null, { status: 303, headers: { location: `${publicUrl}/${page}` } });
      },
    }),
    defineRoute({
      method: "GET",
      path: "api-connections/[id]/accounts",
      operation: false,
      summary: "List who has connected an account",
      access: { permission: UPDATE_PERMISSION },
      params: ConnectionParams,
      response: z.array(ApiAccountOwnerSchema),
      handler: async ({ principal, params }) => ok(await deps().accounts.owners(principal, params.id)),
    }),
    defineRoute({
      method: "DELETE",
      path: "api-connections/[id]/accounts/[userId]",
      operation: false,
      summary: "Disconnect a person's account, or with 0 the shared one",
      access: { permission: UPDATE_PERMISSION },
      params: OwnerParams,
      handler: async ({ principal, params }) => {
        await deps().accounts.revoke(principal, params.id, params.userId);
        return noContent();
      },
    }),
  ];
}
