import { OvenError } from "@oven/contract";
import type { SqlConnection } from "./sql-connection.ts";

/** Functions that reach files, other servers or other sessions. None of them is open to an ordinary role by default. */
const REACHING_OUT = [
  "dblink",
  "dblink_connect",
  "dblink_exec",
  "lo_import",
  "lo_export",
  "pg_read_file",
  "pg_read_binary_file",
  "pg_ls_dir",
  "pg_stat_file",
  "pg_execute_server_program",
  "pg_reload_conf",
  "pg_rotate_logfile",
];

/** One row of one text: what the role may do beyond reading, or null. */
const RIGHTS = `
select array_to_string(array_remove(array[
  (select 'is superuser, or may create roles or databases, replicate, or pass row security' from pg_roles
   where rolname = current_user and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)),
  (select 'is a member of ' || string_agg(quote_ident(rolname), ', ') from pg_roles
   where rolname <> current_user and pg_has_role(current_user, oid, 'member')),
  (select 'may call ' || string_agg(distinct proname, ', ') from pg_proc
   where proname = any($1::text[]) and has_function_privilege(oid, 'execute')),
  (select 'may write ' || string_agg(t.name, ', ') from (
     select c.oid::regclass::text as name from pg_class c
     where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and c.relnamespace <> 'pg_catalog'::regnamespace
       and c.relnamespace <> 'information_schema'::regnamespace
       and case when c.relkind = 'S' then has_sequence_privilege(c.oid, 'update, usage')
                else has_table_privilege(c.oid, 'insert, update, delete, truncate, references, trigger')
                     or has_any_column_privilege(c.oid, 'insert, update') end
     order by 1 limit 3) t),
  (select 'may create in ' || string_agg(quote_ident(nspname), ', ') from pg_namespace
   where has_schema_privilege(oid, 'create')),
  (select 'may create schemas in this database' where has_database_privilege(current_database(), 'create')),
  (select 'is in the database that holds OVEN''s own tables' from pg_class
   where relname like 'oven\\_migrations\\_%' limit 1)
], null), '; ') as excess`;

/**
 * Looks at what the login may do before anything of a user runs on it.
 * @throws OvenError SQL_ROLE_TOO_STRONG
 */
export async function checkRights(connection: SqlConnection): Promise<void> {
  const { rows } = await connection.run(RIGHTS, [REACHING_OUT]);
  const excess = rows[0]?.[0] ?? "";
  if (excess === "") return;
  throw new OvenError("SQL_ROLE_TOO_STRONG", `The login of core.sql may do more than read: it ${excess}`, {
    status: 503,
    fix: "Give OVEN_SQL_URL a login of its own in a database of its own, with SELECT on what workflows may read and nothing else; docs/guides/query-a-database.md has the commands.",
  });
}
