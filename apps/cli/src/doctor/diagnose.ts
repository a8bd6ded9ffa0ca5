import type { Database } from "@oven/db";
import { installedModules } from "@oven/installation";
import { isSetupOpen } from "@oven/module-roles";
import { describe, Examiner } from "./examiner.ts";
import { findAgents, readAgents } from "./find-agents.ts";
import { findApprovals } from "./find-approvals.ts";
import { findDefinitions } from "./find-definitions.ts";
import { type DiagnosedEnvironment, findAround, findWithin } from "./find-installation.ts";
import { findKeys, noteOnKeys, readKeys } from "./find-keys.ts";
import { findPolicies } from "./find-policies.ts";
import { findTriggers, noteOnTriggers } from "./find-triggers.ts";
import { findWorkflows } from "./find-workflows.ts";
import type { Diagnosis } from "./finding.ts";
import { hasColumn, hasTable, readPublished } from "./read-published.ts";
import { readTriggers } from "./read-triggers.ts";

const SETUP_IS_OPEN =
  "Set-up is open: no person with the owner role can sign in. The server prints a link at its start, and `pnpm oven setup-link` makes one.";

/** Reads an installation as it is at one instant; the transaction lets nothing be written. */
export async function diagnose(db: Database, environment: DiagnosedEnvironment): Promise<Diagnosis> {
  // They ask over connections of their own, or the machine.
  const around = await findAround(db, environment);
  return db.jointly(async () => {
    await db.query("set transaction isolation level repeatable read, read only");
    if (!(await hasTable(db, "users")))
      throw new Error("This database has no tables of OVEN: name the one of the installation to be upgraded");
    const all = await readPublished(db);
    const modules = installedModules(environment);
    const within = await findWithin(db, modules, environment);
    const examiner = await Examiner.open(db, modules, all);
    const workflows = all.filter(({ enabled }) => enabled);
    const triggers = await readTriggers(db);
    const keys = await readKeys(db);
    const agents = await readAgents(db);
    const roles = await db.query<{ tenantId: number; title: string; permissions: string[] }>(
      `select tenant_id as "tenantId", title, permissions from roles order by tenant_id, id`,
    );
    const isMigrated = await hasColumn(db, "workflow_versions", "granted");
    const approvals = await findApprovals(examiner, workflows);
    const findings = [
      ...around,
      ...within.findings,
      ...(await findWorkflows(examiner, workflows)),
      ...findAgents(examiner, roles, agents),
      ...(await findTriggers(examiner, all, triggers)),
      // After the upgrade they wait as they were published; what is drawn from then on means to.
      ...(isMigrated ? [] : approvals),
      ...(await findPolicies(examiner, workflows)),
      ...findDefinitions(examiner, workflows),
      ...(await findKeys(examiner, workflows, keys)),
    ];
    const notes = [
      ...within.notes,
      ...noteOnTriggers(triggers),
      ...(await noteOnKeys(examiner, workflows, keys)),
      ...(isMigrated ? approvals.map((one) => `${describe(one)}: ${one.problem}.`) : []),
      ...((await isSetupOpen(db, { oidc: true })) ? [SETUP_IS_OPEN] : []),
      ...examiner.notes,
    ];
    return {
      findings,
      notes,
      examined: {
        workflows: workflows.length,
        triggers: triggers.length,
        agents: agents.length,
        "API keys": keys.length,
      },
    };
  });
}
