import type { ExecutionKind } from "@oven/contract/run";
import type { Queryable } from "@oven/db";
import { fromKeyPermissions, PERMISSIONS_OF_U, TENANT_OF_U_IS_OPEN } from "@oven/module-roles";
import { hasColumn, hasTable } from "./read-published.ts";

/** A trigger that is switched on, and the person or key that saved it. */
export interface StoredTrigger {
  id: number;
  tenantId: number;
  name: string;
  targetKind: ExecutionKind;
  workflowId: number;
  saverId: number | null;
  /** E-mail address; null when the user is gone. */
  saver: string | null;
  /** Null: a person saved it, or an earlier version of OVEN did not write it down. */
  keyId: number | null;
  /** The scopes of the key; null when the key is no longer valid. */
  scopes: string[] | null;
  /** What the saver may do now; null when they may not sign in. */
  permissions: string[] | null;
  /** What the saver might do when they saved it. */
  granted: string[];
  /** Why each of its firings is refused; null: nothing is known against it. */
  problem: string | null;
  /** Saved by a version that did not write down what the saver might do. */
  isOld: boolean;
}

/** Also of a database that this version of OVEN has not migrated. */
export async function readTriggers(db: Queryable): Promise<StoredTrigger[]> {
  if (!(await hasTable(db, "triggers"))) return [];
  const isMigrated = await hasColumn(db, "triggers", "granted");
  const [keyId, granted] = isMigrated ? ["t.runs_with_key", "t.granted"] : ["null::bigint", "'{*}'::text[]"];
  const problem = (await hasColumn(db, "triggers", "problem")) ? "t.problem ->> 'message'" : "null::text";
  const rows = await db.query<Omit<StoredTrigger, "isOld" | "scopes"> & { scopes: string | null; keyIsValid: boolean }>(
    `select t.id, t.tenant_id as "tenantId", t.name, t.target_kind as "targetKind", t.workflow_id as "workflowId",
       t.runs_as as "saverId", u.email as saver, ${keyId} as "keyId", ${granted} as granted, ${problem} as problem, k.permissions as scopes,
       coalesce(k.enabled and (k.expires_at is null or k.expires_at > now()), false) as "keyIsValid",
       case when u.id is not null and u.tenant_id = t.tenant_id and u.disabled_at is null and ${TENANT_OF_U_IS_OPEN}
         then ${PERMISSIONS_OF_U} end as permissions
     from triggers t left join users u on u.id = t.runs_as left join api_keys k on k.id = ${keyId}
     where t.enabled order by t.id`,
  );
  return rows.map(({ keyIsValid, scopes, ...row }) => ({
    ...row,
    scopes: keyIsValid ? fromKeyPermissions(scopes) : null,
    // Owners have all permissions and so has what they save; of others only the migration writes that.
    isOld: !isMigrated || (row.granted.includes("*") && row.permissions?.includes("*") === false),
  }));
}
