import type { ConnectedApp, OthersApp } from "@oven/contract/access";
import type { Database } from "@oven/db";
import { isLoopback } from "./registration.ts";

export interface ClientRow extends Record<string, unknown> {
  client_id: string;
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
  user_id: number;
  user_name: string;
  email: string;
}

/** Whose programs: one person's, or those of everybody of a tenant. */
export type Whose = { userId: number | null } | { tenantId: number };

const toCondition = (whose: Whose): [condition: string, value: number | null] =>
  "userId" in whose ? ["o.user_id = $1", whose.userId] : ["u.tenant_id = $1", whose.tenantId];

/** Programs that people let in, the latest first. */
export async function listApps(db: Database, whose: Whose): Promise<AppRow[]> {
  const [condition, value] = toCondition(whose);
  return db.query<AppRow>(
    `select o.id, c.client_id, c.name, c.uri, c.redirect_uris, o.scopes, o.created_at, u.id as user_id, u.name as user_name, u.email,
       array(select distinct coalesce(r.name, used.address) from (
               select unnest(o.resources) as address
               union select unnest(t.resources) from oauth_refresh_tokens t
                 where t.client_id = o.client_id and t.user_id = o.user_id and t.revoked is null) used
             left join oauth_resources r on r.identifier = used.address) as servers,
       (select max(t.created_at) from oauth_access_tokens t where t.client_id = o.client_id and t.user_id = o.user_id)
         as last_used_at
     from oauth_consents o join oauth_clients c on c.client_id = o.client_id join users u on u.id = o.user_id
     where ${condition} order by o.created_at desc, o.id desc`,
    [value],
  );
}

/** Ends a program's consent and all its tokens. @returns whether there was such a program */
export async function endApp(db: Database, id: number, whose: Whose): Promise<boolean> {
  const [condition, value] = toCondition(whose);
  return db.transaction(async (tx) => {
    const [consent] = await tx.query<{ client_id: string; user_id: number }>(
      `delete from oauth_consents o using users u where u.id = o.user_id and ${condition} and o.id = $2
       returning o.client_id, o.user_id`,
      [value, id],
    );
    if (consent === undefined) return false;
    const tokens = [consent.client_id, consent.user_id];
    await tx.query("delete from oauth_access_tokens where client_id = $1 and user_id = $2", tokens);
    await tx.query("delete from oauth_refresh_tokens where client_id = $1 and user_id = $2", tokens);
    return true;
  });
}

export function toApp(row: AppRow, worded: (scopes: readonly string[]) => ConnectedApp["scopes"]): ConnectedApp {
  return {
    id: row.id,
    client: toClient(row),
    servers: row.servers,
    scopes: worded(row.scopes),
    allowedAt: row.created_at.toISOString(),
    lastTokenAt: row.last_used_at?.toISOString() ?? null,
  };
}

export function toPerson({ user_id: id, user_name: name, email }: AppRow): OthersApp["user"] {
  return { id, name, email };
}

/**
 * Names are the program's own word; where it sends people back is what it cannot make up.
 * @param asked where this very request is answered; the provider takes only what the program has registered
 */
export function toClient({ client_id, name, uri, redirect_uris }: ClientRow, asked?: string) {
  const [first = ""] = redirect_uris;
  const redirect = asked === undefined || asked === "" ? first : asked;
  const url = URL.canParse(redirect) ? new URL(redirect) : undefined;
  return {
    name: name === null || name.trim() === "" ? "A program without a name" : name,
    uri,
    document: URL.canParse(client_id) ? client_id : null,
    returnsTo: url === undefined || url.host === "" ? redirect : url.host,
    local: url !== undefined && (isLoopback(url) || !url.protocol.startsWith("http")),
  };
}
