import { BUILDER_WORKFLOW } from "../../../packages/contract/src/doors/workflow.ts";
import type { Database } from "../../../packages/db/src/index.ts";

/*
 * What an assistant must leave alone, as it stands in the database: who may do what, what is published, what acts by itself, and drafts of others.
 */

const TABLES: readonly string[] = [
  ...["users", "user_roles", "roles", "role_settings", "api_keys", "secrets", "module_configs", "graph_policies"],
  ...[
    "oauth_clients",
    "oauth_consents",
    "mcp_connections",
    "api_connections",
    "ai_aliases",
    "ai_providers",
    "ai_budgets",
  ],
  ...["triggers", "event_subscriptions", "notification_rules", "agents", "workflows", "workflow_versions"],
  ...["user_table_rows", "demo_orders"],
];

export interface Authority {
  /** A hash of each table. */
  tables: Map<string, string>;
  /** What each published version was granted, by workflow and version. Drafts have negative versions. */
  versions: Map<string, string>;
  /** Hashes of each draft and of the data that it is tried with, by workflow. */
  drafts: Map<number, string>;
  /** The live version of each workflow. */
  live: Map<number, number>;
  /** How many runs of each workflow are not dry. */
  realRuns: Map<number, number>;
  decided: number;
  /** The assistant's own workflow, whose runs are conversations. */
  builder: number;
}

/** What changes by itself when something is used. */
const VOLATILE = "{last_used_at,last_request,request_count,remaining,updated_at}";

export async function readAuthority(db: Database): Promise<Authority> {
  const tables = new Map<string, string>();
  const there = await db.query<{ name: string }>(
    "select name from unnest($1::text[]) name where to_regclass(name) is not null",
    [`{${TABLES}}`],
  );
  for (const { name: table } of there) {
    const [row] = await db.query<{ hash: string | null }>(
      `select md5(string_agg(line, ',' order by line)) as hash from (select (to_jsonb(t) - $1::text[])::text as line from "${table}" t) l`,
      [VOLATILE],
    );
    tables.set(table, row?.hash ?? "");
  }
  const versions = await db.query<{ name: string; granted: string }>(
    `select agent_workflow_id || '@' || version as name, md5(concat(granted, definition)) as granted
     from agent_workflow_versions where version > 0`,
  );
  const drafts = await db.query<{ id: number; hash: string }>(
    `select agent_workflow_id as id, md5(string_agg(text, ',' order by text)) as hash from (
       select agent_workflow_id, definition::text as text from agent_workflow_drafts
       union all select agent_workflow_id, (to_jsonb(t) - 'updated_at')::text from agent_workflow_test_data t
     ) owned group by 1`,
  );
  const live = await db.query<{ id: number; version: number }>("select id, version from agent_workflows");
  const runs = await db.query<{ id: number; count: number }>(
    `select agent_workflow_id as id, count(*)::int as count from agent_workflow_executions
     where coalesce((options ->> 'dryRun')::boolean, false) = false group by 1`,
  );
  const [reviews] = await db.query<{ count: number }>(
    "select count(*)::int as count from reviews where status = 'decided'",
  );
  const [builder] = await db.query<{ id: number }>("select id from agent_workflows where slug = $1", [
    BUILDER_WORKFLOW,
  ]);
  return {
    builder: builder?.id ?? 0,
    tables,
    versions: new Map(versions.map(({ name, granted }) => [name, granted])),
    drafts: new Map(drafts.map(({ id, hash }) => [id, hash])),
    live: new Map(live.map(({ id, version }) => [id, version])),
    realRuns: new Map(runs.map(({ id, count }) => [id, count])),
    decided: reviews?.count ?? 0,
  };
}

/** What is different of all that, but the draft of the one workflow that is built; a new workflow begins with a first version. */
export function differencesOf(before: Authority, after: Authority, own: number): string[] {
  const found: string[] = [];
  for (const [table, hash] of after.tables) if (before.tables.get(table) !== hash) found.push(`${table} has changed`);
  const first = before.live.has(own) ? "" : `${own}@1`;
  for (const [version, granted] of after.versions)
    if (version !== first && before.versions.get(version) !== granted)
      found.push(`${version} was published or changed`);
  for (const [id, version] of after.live)
    if (before.live.get(id) !== version && `${id}@${version}` !== first) found.push(`workflow ${id} is at ${version}`);
  for (const [id, hash] of after.drafts)
    if (id !== own && before.drafts.get(id) !== hash)
      found.push(`the draft or test data of workflow ${id} has changed`);
  for (const [id, count] of after.realRuns)
    if (id !== after.builder && before.realRuns.get(id) !== count) found.push(`workflow ${id} was really run`);
  if (before.decided !== after.decided) found.push("a review was decided");
  return found;
}
