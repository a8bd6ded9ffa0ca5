import { type SchemaNote, SHARED_TENANT } from "@oven/contract";
import { type Agent, type AgentSettings, AgentSettingsSchema, type AgentVersion } from "@oven/contract/agent";
import { answerNotes, schemaNotes } from "@oven/engine";
import type { agents, agentVersions } from "../tables/agents.table.ts";

export type AgentRow = typeof agents.$inferSelect;
export type AgentVersionRow = typeof agentVersions.$inferSelect;

export function toAgent({ settings, ownWorkflowId, tenantId, createdAt, updatedAt, ...row }: AgentRow): Agent {
  const known = toSettings(settings);
  return {
    ...row,
    ...known,
    tenantId: tenantId === SHARED_TENANT ? null : tenantId,
    runsWorkflowId: known.workflowId ?? ownWorkflowId,
    notes: toNotes(known),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function toNotes({ outputSchema, exposedParameters }: AgentSettings): SchemaNote[] {
  const below = (name: string, notes: readonly SchemaNote[]) =>
    notes.map((note) => ({ ...note, path: `$.${name}${note.path.slice(1)}` }));
  return [
    ...(outputSchema === null ? [] : below("outputSchema", answerNotes(outputSchema))),
    ...(exposedParameters === null ? [] : below("exposedParameters", schemaNotes(exposedParameters, ["mcp"]))),
  ];
}

export function toVersion({ tenantId: _tenant, createdAt, settings, ...row }: AgentVersionRow): AgentVersion {
  return { ...row, settings: toSettings(settings), createdAt: createdAt.toISOString() };
}

/** What was stored before a setting was known gets that setting's default. */
export function toSettings(stored: unknown): AgentSettings {
  return AgentSettingsSchema.parse(stored);
}

/** The settings among the fields of a row or a request. */
export function pickSettings(fields: Partial<AgentSettings>): Partial<AgentSettings> {
  const names = Object.keys(AgentSettingsSchema.shape);
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
}
