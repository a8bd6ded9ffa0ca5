import { intersectPermissions, isGranted } from "@oven/contract";
import type { Queryable } from "@oven/db";
import { fromKeyPermissions, PERMISSIONS_OF_U } from "@oven/module-roles";
import type { Examiner } from "./examiner.ts";
import { permissionsOf } from "./find-workflows.ts";
import type { Finding } from "./finding.ts";
import type { PublishedWorkflow } from "./read-published.ts";

/** A valid API key. */
export interface StoredKey {
  id: number;
  tenantId: number;
  name: string;
  owner: string;
  /** The only workflows it may use, such as `agent-workflow:7`; null: all. */
  workflows: string[] | null;
  /** Its scopes, as far as its owner has them. */
  permissions: string[];
}

export async function readKeys(db: Queryable): Promise<StoredKey[]> {
  const rows = await db.query<Omit<StoredKey, "permissions"> & { scopes: string | null; ofOwner: string[] }>(
    `select k.id, k.tenant_id as "tenantId", coalesce(k.name, k.start, '') as name, u.email as owner, k.workflows,
       k.permissions as scopes, ${PERMISSIONS_OF_U} as "ofOwner"
     from api_keys k join users u on u.id::text = k.reference_id
     where k.enabled and (k.expires_at is null or k.expires_at > now()) and u.disabled_at is null
     order by k.id`,
  );
  return rows.map(({ scopes, ofOwner, ...key }) => ({
    ...key,
    permissions: intersectPermissions(fromKeyPermissions(scopes), ofOwner),
  }));
}

/** Keys that may start a workflow whose steps need more than the key has. */
export async function findKeys(
  examiner: Examiner,
  workflows: readonly PublishedWorkflow[],
  keys: readonly StoredKey[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, tenantId, name, owner, permissions, workflows: bound } of keys) {
    for (const workflow of workflows) {
      const { kind } = workflow;
      if (bound?.includes(`${kind}:${workflow.id}`) !== true || !isGranted(permissions, `${kind}s.execute`)) continue;
      const missing = await examiner.missing(workflow, permissions);
      if (missing.length === 0) continue;
      findings.push({
        ...{ group: "keys", tenantId, kind: "API key", id, name },
        problem: `it belongs to ${owner} and starts ${workflow.name}, and runs that it starts are refused at steps, for it lacks ${permissionsOf(missing)}`,
        fix: "Make a key with these scopes, by a person who has the permissions, and use it instead.",
      });
    }
  }
  return findings;
}

/** How many workflows a note names. */
const NAMED = 3;

/** Keys for all workflows that lack permissions of some: which they start is not written down anywhere. */
export async function noteOnKeys(
  examiner: Examiner,
  workflows: readonly PublishedWorkflow[],
  keys: readonly StoredKey[],
): Promise<string[]> {
  const notes: string[] = [];
  for (const { id, tenantId, name, owner, permissions, workflows: bound } of keys) {
    if (bound !== null) continue;
    const refused: string[] = [];
    const lacked = new Set<string>();
    for (const workflow of workflows) {
      if (workflow.tenantId !== tenantId || !isGranted(permissions, `${workflow.kind}s.execute`)) continue;
      const missing = await examiner.missing(workflow, permissions);
      if (missing.length > 0) refused.push(workflow.name);
      for (const { permission } of missing) lacked.add(permission);
    }
    if (refused.length === 0) continue;
    const others = refused.length > NAMED ? ` and ${refused.length - NAMED} more` : "";
    notes.push(
      `API key ${name} (${id}) of ${owner} may start every workflow and lacks ${[...lacked].sort().join(", ")}: runs that it starts of ${refused.slice(0, NAMED).join(", ")}${others} are refused at steps.`,
    );
  }
  return notes;
}
