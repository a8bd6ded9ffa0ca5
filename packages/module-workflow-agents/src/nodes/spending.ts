import { isOvenError, type JsonObject, SYSTEM_PRINCIPAL } from "@oven/contract";
import type { AgentSettings } from "@oven/contract/agent";
import type { ToolInfo } from "@oven/contract/ai";
import type { AgentConfig, Definition } from "@oven/contract/workflow";
import { toDefinition } from "@oven/module-agent-core";
import type { ChainBounds, ModelBounds } from "@oven/module-ai";
import {
  type CeilingFacts,
  type CeilingTool,
  type Most,
  type MostByQuantity,
  type ServiceMap,
  sumMost,
} from "@oven/module-registry";
import { Lookup, type Spending } from "@oven/module-workflows";
import { toConfig } from "./agent-settings.ts";
import { isWritten, unknownModel } from "./ceilings.ts";
import { subagentNode } from "./subagent.node.ts";

type Services = Pick<ServiceMap, "ai" | "agents" | "tools" | "workflowPlatform">;

/** Permissions whose holders ask models. */
const SPENDING: ReadonlySet<string> = new Set(["ai.generate"]);

type Asked = Parameters<CeilingFacts["ask"]>[1];

interface NamedAgent {
  config: AgentConfig;
  /** What its runs are of. */
  runs: { key: string; definition: Definition };
}

/** What steps need of models, tools and agents, as a tenant has them now. */
export function createSpending(services: Services, tenantId: number): Spending {
  const models = new Lookup((name: string) => services.ai.bounds(name, tenantId));
  const agents = new Lookup((name: string) => findAgent(services, tenantId, name));
  return {
    facts: {
      ask(name, most) {
        const chain = models.get(name);
        return chain === undefined ? {} : toMost(name, chain, most);
      },
      tools: (patterns) => services.tools.named([...(patterns ?? ["*"])], tenantId).map(toCeilingTool),
      spends: (permissions) => permissions.some((permission) => SPENDING.has(permission)),
      agent: (name) => agents.get(name)?.config,
    },
    async load() {
      return (await Promise.all([models.load(), agents.load()])).includes(true);
    },
    asked(src, { agent }) {
      if (src !== subagentNode.id) return undefined;
      if (typeof agent !== "number" && !isWritten(agent)) return [null];
      const named = agents.get(String(agent));
      return named === undefined ? [] : [named === null ? null : named.runs];
    },
  };
}

/** One question: each model of the chain may be asked, where those before it fail, and be paid for. */
function toMost(name: string, { models, maxOutputTokens }: ChainBounds, most: Asked): MostByQuantity {
  if (models.length === 0) return unknownModel({ code: "model-unknown", about: name });
  return sumMost(models.map((model) => ofModel(model, { answer: maxOutputTokens, ...most })));
}

function ofModel({ model, price }: ModelBounds, { question, answer }: Asked): MostByQuantity {
  const reads = question ?? price?.contextTokens ?? undefined;
  const answers = answer ?? price?.maxOutputTokens ?? undefined;
  const input: Most = reads ?? { code: "model-context", about: model };
  const output: Most = answers ?? { code: "model-answer", about: model };
  const tokens = typeof input !== "number" ? input : typeof output !== "number" ? output : input + output;
  return { modelCalls: 1, tokens, costMicros: costOf() };

  function costOf(): Most {
    if (price === undefined) return { code: "model-price", about: model };
    const inputMicros = Math.max(price.inputMicros, price.cachedInputMicros);
    if (inputMicros > 0 && typeof input !== "number") return input;
    if (price.outputMicros > 0 && typeof output !== "number") return output;
    return Math.ceil(((reads ?? 0) * inputMicros + (answers ?? 0) * price.outputMicros) / 1e6);
  }
}

function toCeilingTool({
  id,
  effect,
  permission,
  permissions,
  delegates,
  needsApproval,
  asksCaller,
}: ToolInfo): CeilingTool {
  const needed = permissions ?? (permission === null ? [] : [permission]);
  return {
    id,
    once: effect === "at-most-once",
    spends: delegates === true || needed.some((one) => SPENDING.has(one)),
    needsApproval,
    asksPeople: asksCaller === true,
  };
}

async function findAgent(services: Services, tenantId: number, name: string): Promise<NamedAgent | null> {
  const principal = { ...SYSTEM_PRINCIPAL, tenantId };
  try {
    const { id, version } = await services.agents.get(principal, name);
    const settings = await services.agents.settingsOf({ id, version, sessionId: null });
    const config = toConfig(settings);
    const definition = await definitionOf(services, tenantId, settings);
    return {
      config,
      runs: {
        key: `agent:${id}@${version}`,
        // A run of an agent takes the agent's settings where its workflow has none.
        definition: { ...definition, agentConfig: { ...config, ...definition.agentConfig } },
      },
    };
  } catch (error) {
    if (isOvenError(error) && error.status === 404) return null;
    throw error;
  }
}

async function definitionOf(
  { workflowPlatform }: Services,
  tenantId: number,
  settings: AgentSettings,
): Promise<Definition> {
  const stored = async (id: number): Promise<JsonObject> => {
    const principal = { ...SYSTEM_PRINCIPAL, tenantId };
    return (await workflowPlatform.face("agent-workflow").workflows.get(principal, String(id))).definition;
  };
  const definition = settings.workflowId === null ? toDefinition(settings) : await stored(settings.workflowId);
  return definition as unknown as Definition; // cast: what is stored, and what is made of an agent's settings, is valid
}
