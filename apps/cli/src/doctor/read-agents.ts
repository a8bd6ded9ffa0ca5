import { notFound } from "@oven/contract";
import type { Agent, AgentSettings } from "@oven/contract/agent";
import type { Database } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import { hasTable } from "./read-published.ts";

type Row = Pick<Agent, "id" | "slug" | "version"> & { settings: AgentSettings };

/** Agents as they are stored, for what the steps that name one need. */
export function readAgents(db: Database): Pick<ServiceMap["agents"], "get" | "settingsOf"> {
  const find = async (idOrSlug: string, tenantId: number | null): Promise<Row> => {
    const [row] = (await hasTable(db, "agents"))
      ? await db.query<Row>(
          `select id, slug, version, settings from agents
           where (id::text = $1 or slug = $1) and ($2::bigint is null or tenant_id in (0, $2)) order by tenant_id desc limit 1`,
          [idOrSlug, tenantId],
        )
      : [];
    if (row === undefined) throw notFound("agent", idOrSlug);
    return row;
  };
  return {
    get: async ({ tenantId }, idOrSlug) => (await find(idOrSlug, tenantId)) as unknown as Agent, // cast: looking at graphs takes its id and version
    settingsOf: async ({ id }) => (await find(String(id), null)).settings,
  };
}
