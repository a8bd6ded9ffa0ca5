import type { Json, JsonObject } from "@oven/contract";
import type {
  Definition,
  PromotedAgent,
  PromotedTrigger,
  PromotedWorkflow,
  ReferenceKind,
} from "@oven/contract/workflow";
import { configKeysOf, isObject, type NodeCatalog, takeVerbatim } from "@oven/engine";
import { CALLING_TOOLS, invocationsIn } from "@oven/module-workflow-agents";

/** Is told every name that something has, and answers what it shall be called instead. */
export type Rename = (kind: ReferenceKind, name: string) => string;

/** The kind of trigger that names a table. */
const TABLE_TRIGGER = "table-row";
const MODEL_INPUTS = ["model", "embeddingModel", "judge"];
const CONNECTED = /^((?:mcp|api)\.)([^.*]+)(\..+)$/;
/** Settings of triggers that are names of secrets. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set(["secret", "password"]);

/** A copy with every literal name as `rename` answers it: what is computed in a run is left as it stands. */
export function rewriteWorkflow(workflow: PromotedWorkflow, catalog: NodeCatalog, rename: Rename): PromotedWorkflow {
  return { ...workflow, definition: rewriteDefinition(workflow.definition, catalog, rename) };
}

export function rewriteAgent(agent: PromotedAgent, rename: Rename): PromotedAgent {
  const { model, agentConfig, toolBindings, memoryConfig } = agent.settings;
  return {
    ...agent,
    workflow: agent.workflow === null ? null : rename("agent-workflow", agent.workflow),
    settings: {
      ...agent.settings,
      model: model === null ? null : rename("model", model),
      agentConfig,
      toolBindings: toolBindings.map((pattern) => toolNamed(pattern, rename)),
      memoryConfig:
        memoryConfig?.store === undefined
          ? memoryConfig
          : { ...memoryConfig, store: rename("vector-store", memoryConfig.store) },
    },
  };
}

export function rewriteTrigger(trigger: PromotedTrigger, rename: Rename): PromotedTrigger {
  const { kind, slug } = trigger.target;
  const settings = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(settings);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        SECRET_SETTINGS.has(key) && typeof inner === "string" ? rename("secret", inner) : settings(inner),
      ]),
    );
  };
  const config = settings(trigger.config) as JsonObject; // cast: it was one
  if (trigger.type === TABLE_TRIGGER && typeof config.table === "string") config.table = rename("table", config.table);
  return { ...trigger, target: { kind, slug: rename(kind, slug) }, config };
}

function rewriteDefinition(given: JsonObject, catalog: NodeCatalog, rename: Rename): JsonObject {
  const definition = secretsRenamed(structuredClone(given), rename) as JsonObject; // cast: it was one
  // cast: the names that it has are looked for where a valid definition has them
  const valid = definition as unknown as Definition;
  const { states, agentConfig, memoryConfig } = valid;
  for (const key of configKeysOf(takeVerbatim(valid, catalog))) rename("config", key);
  for (const invoke of invocationsIn(states)) {
    rename("node", invoke.src);
    const { src, version, input } = invoke;
    if (input === undefined) continue;
    const [call] = catalog.get(src, version)?.calls?.(input) ?? [];
    if (call !== undefined) input.workflow = rename(call.kind, call.workflow);
    const { agent, store, tool, tools } = input;
    if (src.startsWith("agent.")) {
      if (typeof agent === "number" || isLiteral(agent)) input.agent = rename("agent", String(agent));
      if (isLiteral(store)) input.store = rename("vector-store", store);
    }
    for (const key of MODEL_INPUTS) {
      const model = input[key];
      if (isLiteral(model)) input[key] = rename("model", model);
    }
    if (src.startsWith("tables.") && isLiteral(input.table)) input.table = rename("table", input.table);
    if (isLiteral(tool)) input.tool = toolNamed(tool, rename);
    if (CALLING_TOOLS.has(src) && Array.isArray(tools))
      input.tools = tools.map((one) => (isLiteral(one) ? toolNamed(one, rename) : one));
  }
  if (agentConfig?.model !== undefined) agentConfig.model = rename("model", agentConfig.model);
  if (agentConfig?.tools !== undefined)
    agentConfig.tools = agentConfig.tools.map((pattern) => toolNamed(pattern, rename));
  if (memoryConfig?.store !== undefined) memoryConfig.store = rename("vector-store", memoryConfig.store);
  return definition;
}

/** A tool of a connected server goes where its connection goes, unless it is called otherwise itself. */
function toolNamed(pattern: string, rename: Rename): string {
  const except = pattern.startsWith("!") ? "!" : "";
  const name = pattern.slice(except.length);
  const [, prefix, connection, rest] = CONNECTED.exec(name) ?? [];
  const at = connection === undefined ? name : `${prefix}${rename("connection", connection)}${rest}`;
  if (name === "*") return pattern;
  const own = rename("tool", name);
  return `${except}${own === name ? at : own}`;
}

function secretsRenamed(value: Json, rename: Rename): Json {
  if (Array.isArray(value)) return value.map((one) => secretsRenamed(one, rename));
  if (!isObject(value) || Object.hasOwn(value, "$literal")) return value;
  const { $secret } = value;
  if (typeof $secret === "string") return { ...value, $secret: rename("secret", $secret) };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, secretsRenamed(inner, rename)]));
}

function isLiteral(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !value.startsWith("$") && !value.includes("{{");
}
