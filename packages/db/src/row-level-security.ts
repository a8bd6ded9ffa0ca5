import type { Row, Transaction } from "./database.ts";

/*
 * Row-level security, as a second protection. Work for a tenant runs under a role of its own that sees rows of that tenant and
 * shared ones only, whatever the statement says. The role that the server connects with owns the tables, so the engine, which
 * works for all tenants, is not slowed by it.
 */

/** Role and tenant that the policies check: statements see rows of this tenant only. */
export interface RlsContext {
  role: string;
  tenantId: number;
}

const POLICY = "oven_tenant";
/** One process builds at a time. Any constant that no other lock has (migrate.ts: …011, the start of an installation: …012). */
const LOCK_KEY = 7_358_120_013;

/** Begins a transaction within the tenant, in one round trip. */
export function beginWithin({ role, tenantId }: RlsContext): string {
  if (!Number.isSafeInteger(tenantId)) throw new Error("a tenant is an integer");
  return `begin; set local role ${role}; set local oven.tenant = '${tenantId}'`;
}

/** Whether what comes next on this connection is within a tenant. */
export function isBeginWithin(text: string): boolean {
  return text.startsWith("begin; set local role ");
}

/**
 * Makes the role, and a policy on each table that has none.
 * @returns the role: one for each user of the server, because all its databases share them
 * @throws what the server answers when it may not
 */
export async function buildRowLevelSecurity(tx: Transaction): Promise<string> {
  await tx.query("select pg_advisory_xact_lock($1)", [LOCK_KEY]);
  const [named] = await tx.query<{ role: string }>("select 'oven_tenant_' || left(md5(current_user), 12) as role");
  const role = named?.role ?? "";
  // Another database of the server may be making it at this moment.
  await tx.query(`do $$ begin
    if not exists (select from pg_roles where rolname = '${role}') then
      create role ${role} nologin;
    end if;
    exception when duplicate_object or unique_violation then null;
  end $$`);
  // From 16 on, the user who makes a role may grant it, and can take it on only once it was granted to them.
  const [may] = await tx.query<{ may: boolean }>(
    `select pg_has_role(current_user, $1, case when current_setting('server_version_num')::integer >= 160000
       then 'set' else 'member' end) as may`,
    [role],
  );
  if (may?.may !== true) await tx.query(`grant ${role} to current_user`);
  const open = await tx.query<Row & { name: string }>(
    `select quote_ident(c.relname) as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = '${POLICY}')`,
  );
  const within = "tenant_id in (0, (select current_setting('oven.tenant')::integer))";
  if (open.length === 0) return role;
  await tx.query(`grant usage on schema public to ${role}`);
  await tx.query(`grant usage on all sequences in schema public to ${role}`);
  for (const { name } of open) {
    await tx.query(`alter table ${name} enable row level security`);
    await tx.query(`create policy ${POLICY} on ${name} to ${role} using (${within}) with check (${within})`);
    await tx.query(`grant select, insert, update, delete on ${name} to ${role}`);
  }
  return role;
}
