import { ConnectedAppSchema, ConnectionRequestSchema, isGranted, notFound, OvenError } from "@oven/contract";
import { defineRoute, noContent, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { AccessDeps } from "../access/access-deps.ts";
import { OFFLINE } from "./oauth-tokens.ts";
import { isLoopback } from "./registration.ts";

const IdParams = z.object({ id: z.coerce.number().int().positive() });
const AskedQuery = z.object({ client_id: z.string().max(200), resource: z.string().max(2_000) }).catchall(z.string());

interface ClientRow extends Record<string, unknown> {
  name: string | null;
  uri: string | null;
  redirect_uris: string[];
}
interface AppRow extends ClientRow {
  id: number;
  scopes: string[];
  servers: string[];
  created_at: Date;
  last_used_at: Date | null;
}

/** Programs that act for a person over MCP: what one asks for, which ones he let in, and how he ends it. */
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
          "select name, uri, redirect_uris from oauth_clients where client_id = $1 and disabled is not true",
          [query.client_id],
        );
        if (client === undefined) throw notFound("program", query.client_id);
        const at = addresses.named(query.resource);
        const server = await at?.servers.describe(principal, at.path);
        if (server === undefined) throw notFound("MCP server", query.resource);
        const asked = (query.scope ?? "").split(" ").filter((scope) => scope !== "" && scope !== OFFLINE);
        const useful = asked.filter((scope) => isGranted(server.permissions, scope));
        return ok({
          client: toClient(client),
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
        const rows = await deps().db.query<AppRow>(
          `select o.id, c.name, c.uri, c.redirect_uris, o.scopes, o.created_at,
             array(select distinct coalesce(r.name, used.address) from (
                     select unnest(o.resources) as address
                     union select unnest(t.resources) from oauth_refresh_tokens t
                       where t.client_id = o.client_id and t.user_id = o.user_id and t.revoked is null) used
                   left join oauth_resources r on r.identifier = used.address) as servers,
             (select max(t.created_at) from oauth_access_tokens t where t.client_id = o.client_id and t.user_id = o.user_id)
               as last_used_at
           from oauth_consents o join oauth_clients c on c.client_id = o.client_id
           where o.user_id = $1 order by o.created_at desc, o.id desc`,
          [principal.userId],
        );
        return ok(
          rows.map((row) => ({
            id: row.id,
            client: toClient(row),
            servers: row.servers,
            scopes: worded(row.scopes),
            allowedAt: row.created_at.toISOString(),
            lastTokenAt: row.last_used_at?.toISOString() ?? null,
          })),
        );
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
        const ended = await deps().db.transaction(async (tx) => {
          const [consent] = await tx.query<{ client_id: string }>(
            "delete from oauth_consents where id = $1 and user_id = $2 returning client_id",
            [params.id, principal.kind === "user" ? principal.userId : null],
          );
          if (consent === undefined) return false;
          const whose = [consent.client_id, principal.userId];
          await tx.query("delete from oauth_access_tokens where client_id = $1 and user_id = $2", whose);
          await tx.query("delete from oauth_refresh_tokens where client_id = $1 and user_id = $2", whose);
          return true;
        });
        if (!ended) throw notFound("connected program", params.id);
        return noContent();
      },
    }),
  ];
}

/** Names are the program's own word; where it sends people back is what it cannot make up. */
function toClient({ name, uri, redirect_uris: [redirect = ""] }: ClientRow) {
  const url = URL.canParse(redirect) ? new URL(redirect) : undefined;
  return {
    name: name === null || name.trim() === "" ? "A program without a name" : name,
    uri,
    returnsTo: url === undefined || url.host === "" ? redirect : url.host,
    local: url !== undefined && (isLoopback(url) || !url.protocol.startsWith("http")),
  };
}
