import type { AgentSettings } from "@oven/contract/agent";
import type { Queryable } from "@oven/db";
import type { Examiner } from "./examiner.ts";
import { permissionsOf, publishedBy, publisherOf } from "./find-workflows.ts";
import type { Finding } from "./finding.ts";
import { GRANTED_BEFORE, hasColumn, hasTable } from "./read-published.ts";

/** An agent that can be asked, in its newest version. */
export interface StoredAgent {
  id: number;
  tenantId: number;
  name: string;
  version: number;
  settings: AgentSettings;
  /** Null: the installation itself. */
  publisherId: number | null;
  publisher: string | null;
  /** What the version may do; before the migration, what the migration will write. */
  granted: string[];
}

export async function readAgents(db: Queryable): Promise<StoredAgent[]> {
  if (!(await hasTable(db, "agents"))) return [];
  const granted = (await hasColumn(db, "agent_versions", "granted")) ? "v.granted" : GRANTED_BEFORE;
  return db.query<StoredAgent & Record<string, unknown>>(
    `select a.id, a.tenant_id as "tenantId", a.name, a.version, v.settings, v.created_by as "publisherId",
       u.email as publisher, ${granted} as granted
     from agents a join agent_versions v on v.agent_id = a.id and v.version = a.version
     left join users u on u.id = v.created_by where a.enabled order by a.id`,
  );
}

/** Agents that are bound to tools whose permissions their version lacks. What a pattern matches is only not offered. */
export function findAgents(
  examiner: Examiner,
  roles: readonly { tenantId: number; title: string; permissions: string[] }[],
  agents: readonly StoredAgent[],
): Finding[] {
  return agents.flatMap((agent) => {
    const { id, tenantId, name, version, settings, granted } = agent;
    const own = roles.filter((role) => role.tenantId === 0 || role.tenantId === tenantId);
    const missing = examiner.missingOfTools(tenantId, settings.toolBindings ?? [], { granted, roles: own });
    if (missing.length === 0) return [];
    return [
      {
        ...{ group: "agents" as const, tenantId, kind: "agent", id, name },
        problem: `version ${version}, saved by ${publisherOf(agent)}, lacks the permissions of its tools: ${permissionsOf(missing)}`,
        fix: publishedBy(missing).replace("publish it", "save it").replace("the steps", "its tools"),
      },
    ];
  });
}
