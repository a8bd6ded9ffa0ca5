import { isGranted, notFound, OvenError } from "@oven/contract";
import { ConnectedAppSchema, ConnectionRequestSchema, OthersAppSchema } from "@oven/contract/access";
import {
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import type { AccessDeps } from "../access/access-deps.ts";
import { type ClientRow, endApp, listApps, toApp, toClient, toPerson } from "./connected-apps.ts";
import { OFFLINE } from "./oauth-tokens.ts";

const IdParams = z.object({ id: z.coerce.number().int().positive() });
const AskedQuery = z
  .object({
    client_id: z.string().max(200),
    resource: z.string().max(2_000),
    /** Where this request is answered; a program may have several. */
    redirect_uri: z.string().max(2_000).optional(),
  })
  .catchall(z.string());

/** Programs that act for a person over MCP: what one asks for, which ones they let in, and how they end it. */
export function connectedAppRoutes(deps: () => AccessDeps): Route[] {
  const titles = () =>
    new Map(
      deps()
        .registry.permissions()
        .map(({ id, title }) => [id, title]),
    );
  const worded = (scopes: readonly string[]) =>
    scopes.filter((id) => id !== OFFLINE).map((id) => ({ id, title: titles().get(id) ?? id }));
  return [
    defineRoute({
      method: "GET",
      path: "account/connection-request",
      operation: false,
      summary: "What a program asks to do in one's name",
      access: "session",
      query: AskedQuery,
      response: ConnectionRequestSchema,
      handler: async ({ principal, query }) => {
        if (principal.kind !== "user")
          throw new OvenError("FORBIDDEN", "Only a person lets programs in", { status: 403 });
        const { db, addresses } = deps();
        const [client] = await db.system.query<ClientRow>(
          "select client_id, name, uri, redirect_uris from oauth_clients where client_id = $1 and disabled is not true",
          [query.client_id],
        );
        if (client === undefined) throw notFound("program", query.client_id);
        const at = addresses.named(query.resource);
        const server = await at?.servers.describe(principal, at.path);
        if (server === undefined) throw notFound("MCP server", query.resource);
        const asked = (query.scope ?? "").split(" ").filter((scope) => scope !== "" && scope !== OFFLINE);
        const useful = asked.filter((scope) => isGranted(server.permissions, scope));
        return ok({
          client: toClient(client, query.redirect_uri),
          server: { title: server.title, url: query.resource },
          scopes: worded(useful.filter((scope) => isGranted(principal.permissions, scope))),
          withheld: worded(useful.filter((scope) => !isGranted(principal.permissions, scope))),
          offline: (query.scope ?? "").split(" ").includes(OFFLINE),
        });
      },
    }),
    defineRoute({
      method: "GET",
      path: "account/connected-apps",
      operation: false,
      summary: "Programs that act in one's name over MCP",
      access: "session",
      response: z.array(ConnectedAppSchema),
      handler: async ({ principal }) => {
        if (principal.kind !== "user") return ok([]);
        const rows = await listApps(deps().db, { userId: principal.userId });
        return ok(rows.map((row) => toApp(row, worded)));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "account/connected-apps/[id]",
      operation: false,
      summary: "Disconnect a program: all its tokens end",
      access: "session",
      params: IdParams,
      handler: async ({ principal, params }) => {
        const userId = principal.kind === "user" ? principal.userId : null;
        const ended = await endApp(deps().db, params.id, { userId });
        if (!ended) throw notFound("connected program", params.id);
        return noContent();
      },
    }),
    defineRoute({
      method: "GET",
      path: "connected-apps",
      operation: false,
      summary: "Programs that act in the names of this tenant's people over MCP, the latest first",
      access: { permission: "users.read" },
      query: ListQuerySchema,
      response: z.array(OthersAppSchema),
      effect: "pure",
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { first, last } = params.range;
        const sought = typeof params.filter.q === "string" ? params.filter.q.toLowerCase() : "";
        const all = await listApps(deps().db, { tenantId: principal.tenantId });
        const found = all.filter((row) => `${row.name} ${row.user_name} ${row.email}`.toLowerCase().includes(sought));
        const page = found.slice(first, last + 1).map((row) => ({ ...toApp(row, worded), user: toPerson(row) }));
        return listReply("connected-apps", params, page, found.length);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "connected-apps/[id]",
      operation: false,
      summary: "Disconnect a program of a user of this tenant: all its tokens end",
      access: { permission: "users.update" },
      params: IdParams,
      effect: "idempotent",
      handler: async ({ principal, params }) => {
        const ended = await endApp(deps().db, params.id, { tenantId: principal.tenantId });
        if (!ended) throw notFound("connected program", params.id);
        return noContent();
      },
    }),
  ];
}
