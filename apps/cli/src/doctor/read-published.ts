import type { JsonObject } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Queryable } from "@oven/db";

/** A workflow that can be started, in its published version. */
export interface PublishedWorkflow {
  kind: ExecutionKind;
  id: number;
  tenantId: number;
  name: string;
  slug: string;
  version: number;
  enabled: boolean;
  definition: JsonObject;
  /** Null: the installation itself. */
  publisherId: number | null;
  /** E-mail address; null when the user is gone. */
  publisher: string | null;
  /** What the version may do; before the migration, what the migration will write. */
  granted: string[];
}

interface TableNames {
  workflows: string;
  versions: string;
  workflowId: string;
}

const TABLES: Readonly<Record<ExecutionKind, TableNames>> = {
  workflow: { workflows: "workflows", versions: "workflow_versions", workflowId: "workflow_id" },
  "agent-workflow": {
    workflows: "agent_workflows",
    versions: "agent_workflow_versions",
    workflowId: "agent_workflow_id",
  },
};

/** As the migration that adds the column fills it: what the author's roles permit now; what the installation made, everything. */
export const GRANTED_BEFORE = `case when v.created_by is null then '{*}'::text[] else array(
  select distinct permission from user_roles ur
    join roles r on r.name = ur.role and r.tenant_id in (0, ur.tenant_id)
    cross join unnest(r.permissions) as permission
  where ur.user_id = v.created_by and ur.tenant_id = v.tenant_id) end`;

/** Also of a database that this version of OVEN has not migrated. */
export async function readPublished(db: Queryable): Promise<PublishedWorkflow[]> {
  const found: PublishedWorkflow[] = [];
  for (const [kind, { workflows, versions, workflowId }] of Object.entries(TABLES)) {
    if (!(await hasTable(db, workflows))) continue;
    const granted = (await hasColumn(db, versions, "granted")) ? "v.granted" : GRANTED_BEFORE;
    const rows = await db.query<Omit<PublishedWorkflow, "kind"> & Record<string, unknown>>(
      `select w.id, w.tenant_id as "tenantId", w.name, w.slug, w.version, w.enabled, w.definition,
         v.created_by as "publisherId", u.email as publisher, ${granted} as granted
       from ${workflows} w join ${versions} v on v.${workflowId} = w.id and v.version = w.version
       left join users u on u.id = v.created_by order by w.id`,
    );
    // cast: the keys of TABLES are the kinds
    found.push(...rows.map((row) => ({ ...row, kind: kind as ExecutionKind })));
  }
  return found;
}

/** Undefined when there is no such version. */
export async function readVersion(
  db: Queryable,
  kind: ExecutionKind,
  id: number,
  version: number,
): Promise<JsonObject | undefined> {
  const { versions, workflowId } = TABLES[kind];
  const [row] = await db.query<{ definition: JsonObject }>(
    `select definition from ${versions} where ${workflowId} = $1 and version = $2`,
    [id, version],
  );
  return row?.definition;
}

export async function hasTable(db: Queryable, table: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>("select to_regclass($1) is not null as found", [table]);
  return row?.found === true;
}

export async function hasColumn(db: Queryable, table: string, column: string): Promise<boolean> {
  const rows = await db.query(
    "select from pg_attribute where attrelid = to_regclass($1) and attname = $2 and not attisdropped",
    [table, column],
  );
  return rows.length > 0;
}
