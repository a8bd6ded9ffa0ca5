import type { Json, JsonObject } from "@oven/contract";
import type { Agent, AgentSettings } from "@oven/contract/agent";
import { t } from "@oven/i18n";

/** The form of an agent: numbers as they are typed, nothing as an empty text. */
export interface AgentDraft {
  name: string;
  slug: string;
  description: string;
  enabled: boolean;
  systemPrompt: string;
  model: string;
  temperature: string;
  topP: string;
  maxOutputTokens: string;
  seed: string;
  timeoutSeconds: string;
  tools: string[];
  exposedParameters: JsonObject | null;
  outputSchema: JsonObject | null;
  memory: boolean;
  memoryScope: "" | "agent" | "agent+user";
  memoryStrategy: "" | "semantic" | "keyword" | "hybrid";
  memoryTopK: string;
  memoryStore: string;
  maxToolIterations: string;
  streaming: boolean;
  callerTools: boolean;
  a2aExport: boolean;
  workflowId: number | null;
  note: string;
}

export const NEW_AGENT: AgentDraft = {
  name: "",
  slug: "",
  description: "",
  enabled: true,
  systemPrompt: "",
  model: "",
  temperature: "",
  topP: "",
  maxOutputTokens: "",
  seed: "",
  timeoutSeconds: "",
  tools: [],
  exposedParameters: null,
  outputSchema: null,
  memory: false,
  memoryScope: "",
  memoryStrategy: "",
  memoryTopK: "",
  memoryStore: "",
  maxToolIterations: "",
  streaming: true,
  callerTools: false,
  a2aExport: false,
  workflowId: null,
  note: "",
};

const text = (value: number | undefined | null): string => (value === undefined || value === null ? "" : String(value));
const number = (typed: string): number | undefined => (typed.trim() === "" ? undefined : Number(typed));

export function toDraft(agent: Agent): AgentDraft {
  const { agentConfig, memoryConfig } = agent;
  return {
    name: agent.name,
    slug: agent.slug,
    description: agent.description ?? "",
    enabled: agent.enabled,
    systemPrompt: agent.systemPrompt,
    model: agent.model ?? "",
    temperature: text(agentConfig.temperature),
    topP: text(agentConfig.topP),
    maxOutputTokens: text(agentConfig.maxOutputTokens),
    seed: text(agentConfig.seed),
    timeoutSeconds: text(agentConfig.timeoutMs === undefined ? undefined : agentConfig.timeoutMs / 1_000),
    tools: agent.toolBindings,
    exposedParameters: agent.exposedParameters,
    outputSchema: agent.outputSchema,
    memory: memoryConfig !== null && memoryConfig.enabled !== false,
    memoryScope: memoryConfig?.scope ?? "",
    memoryStrategy: memoryConfig?.strategy ?? "",
    memoryTopK: text(memoryConfig?.topK),
    memoryStore: memoryConfig?.store ?? "",
    maxToolIterations: text(agent.maxToolIterations),
    streaming: agent.streamingEnabled,
    callerTools: agent.callerTools,
    a2aExport: agent.a2aExport,
    workflowId: agent.workflowId,
    note: "",
  };
}

/** What is sent; what was not typed is left to the defaults. */
export function toBody(draft: AgentDraft): JsonObject {
  const timeout = number(draft.timeoutSeconds);
  return {
    name: draft.name.trim(),
    ...(draft.slug.trim() === "" ? {} : { slug: draft.slug.trim() }),
    description: draft.description.trim() === "" ? null : draft.description,
    enabled: draft.enabled,
    systemPrompt: draft.systemPrompt,
    model: draft.model.trim() === "" ? null : draft.model.trim(),
    agentConfig: given({
      temperature: number(draft.temperature),
      topP: number(draft.topP),
      maxOutputTokens: number(draft.maxOutputTokens),
      seed: number(draft.seed),
      timeoutMs: timeout === undefined ? undefined : Math.round(timeout * 1_000),
    }),
    toolBindings: draft.tools,
    exposedParameters: draft.exposedParameters,
    outputSchema: draft.outputSchema,
    memoryConfig: draft.memory
      ? {
          enabled: true,
          ...given({
            scope: draft.memoryScope || undefined,
            strategy: draft.memoryStrategy || undefined,
            topK: number(draft.memoryTopK),
            store: draft.memoryStore.trim() || undefined,
          }),
        }
      : null,
    maxToolIterations: number(draft.maxToolIterations) ?? null,
    streamingEnabled: draft.streaming,
    callerTools: draft.callerTools,
    a2aExport: draft.a2aExport,
    workflowId: draft.workflowId,
    ...(draft.note.trim() === "" ? {} : { note: draft.note.trim() }),
  };
}

function given(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Names of settings, as forms and comparisons have them. */
const SETTING_WORDS: Record<keyof AgentSettings, string> = {
  systemPrompt: t("Instructions"),
  model: t("Model"),
  agentConfig: t("Settings of the model"),
  exposedParameters: t("Parameters"),
  toolBindings: t("Tools"),
  memoryConfig: t("Memory"),
  outputSchema: t("Form of the answer"),
  maxToolIterations: t("Most answers of the model in a run"),
  streamingEnabled: t("Answers as they are written"),
  callerTools: t("Tools of callers"),
  a2aExport: t("Offered over A2A"),
  workflowId: t("Workflow"),
};

/** The settings that differ between two versions. */
export function compareSettings(
  before: AgentSettings,
  after: AgentSettings,
): { name: string; before: Json | undefined; after: Json | undefined }[] {
  const names = Object.keys(SETTING_WORDS) as (keyof AgentSettings)[]; // cast: the keys of a record over these
  return names.flatMap((name) => {
    const [one, other] = [before[name], after[name]] as [Json, Json]; // cast: settings are JSON
    if (toStable(one) === toStable(other)) return [];
    if (name === "agentConfig" || name === "memoryConfig") return compareParts(SETTING_WORDS[name], one, other);
    return [{ name: SETTING_WORDS[name], before: shown(one), after: shown(other) }];
  });
}

function compareParts(title: string, before: Json, after: Json): ReturnType<typeof compareSettings> {
  const [one, other] = [asObject(before), asObject(after)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    toStable(one[key] ?? null) === toStable(other[key] ?? null)
      ? []
      : [{ name: `${title}: ${key}`, before: one[key], after: other[key] }],
  );
}

function asObject(value: Json): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function shown(value: Json): Json | undefined {
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return undefined;
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Equal for equal values, whatever order their keys have. */
function toStable(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
