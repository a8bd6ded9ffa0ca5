import { isGranted, type ListParams, OvenError, type Principal } from "@oven/contract";
import type { Agent, ChatMapping, ChatTarget, ChatTargetKind } from "@oven/contract/agent";
import type { Workflow } from "@oven/contract/workflow";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import { fitWorkflow } from "./chat-mapping.ts";

export type WorkflowTargetKind = Exclude<ChatTargetKind, "agent">;

/** What talking to one takes. */
export const TALK: Record<ChatTargetKind, string> = {
  agent: "agents.invoke",
  "agent-workflow": "agent-workflows.execute",
  workflow: "workflows.execute",
};

/** The newest of each kind that are looked at; a search narrows them. */
const OF_EACH = 200;

/** Whom one may talk to. */
export class TargetService {
  readonly #services: ServiceMap;

  constructor(services: ServiceMap) {
    this.#services = services;
  }

  /** Agents first; workflows that cannot be talked to as they are say why. */
  async list(principal: Principal, q: string | undefined): Promise<ChatTarget[]> {
    const may = (kind: ChatTargetKind) => isGranted(principal.permissions, TALK[kind]);
    const agents = may("agent") ? await this.#services.agents.list(principal) : [];
    const own = new Set(agents.filter(({ workflowId }) => workflowId === null).map((agent) => agent.runsWorkflowId));
    const found = [
      ...agents.filter(({ enabled }) => enabled).map(ofAgent),
      ...(may("agent-workflow") ? await this.#workflows(principal, "agent-workflow", q) : []),
      ...(may("workflow") ? await this.#workflows(principal, "workflow", q) : []),
    ];
    const wanted = q?.toLowerCase() ?? "";
    return found.filter(
      ({ kind, id, name, description }) =>
        // What an agent is made into is talked to through the agent.
        !(kind === "agent-workflow" && own.has(id)) && `${name} ${description ?? ""}`.toLowerCase().includes(wanted),
    );
  }

  /**
   * @param chosen how a person wants the workflow's input and output read
   * @throws OvenError NOT_FOUND, FORBIDDEN, WORKFLOW_DISABLED 409, AGENT_DISABLED 409
   */
  async get(
    principal: Principal,
    kind: ChatTargetKind,
    id: string,
    chosen: Partial<ChatMapping> = {},
  ): Promise<ChatTarget> {
    requirePermission(principal, TALK[kind]);
    if (kind === "agent") {
      const agent = await this.#services.agents.get(principal, id);
      if (!agent.enabled)
        throw new OvenError("AGENT_DISABLED", `${agent.name} is disabled`, { status: 409, fix: "Enable it first." });
      return ofAgent(agent);
    }
    const workflow = await this.#services.workflowPlatform.face(kind).workflows.get(principal, id);
    if (!workflow.enabled)
      throw new OvenError("WORKFLOW_DISABLED", `${workflow.name} is disabled`, {
        status: 409,
        fix: "Enable it first.",
      });
    return ofWorkflow(kind, workflow, chosen);
  }

  async #workflows(principal: Principal, kind: WorkflowTargetKind, q: string | undefined): Promise<ChatTarget[]> {
    const params: ListParams = {
      sort: { field: "updatedAt", order: "DESC" },
      range: { first: 0, last: OF_EACH - 1 },
      filter: { enabled: true, ...(q === undefined || q === "" ? {} : { q }) },
    };
    const { rows } = await this.#services.workflowPlatform.face(kind).workflows.list(principal, params);
    return rows.map((workflow) => ofWorkflow(kind, workflow));
  }
}

function ofAgent({ id, slug, name, description, createdAt, exposedParameters }: Agent): ChatTarget {
  return {
    kind: "agent",
    id,
    slug,
    name,
    description,
    createdAt,
    misfit: null,
    remembers: true,
    mapping: null,
    parameters: exposedParameters,
  };
}

function ofWorkflow(kind: WorkflowTargetKind, workflow: Workflow, chosen: Partial<ChatMapping> = {}): ChatTarget {
  const { id, slug, name, description, createdAt, definition } = workflow;
  const { mapping, misfit, parameters } = fitWorkflow(definition, chosen);
  const remembers = mapping?.messages != null;
  return { kind, id, slug, name, description, createdAt, misfit, remembers, mapping, parameters };
}
