import {
  isGranted,
  isOvenError,
  notFound,
  type Principal,
  type Problem,
  SHARED_TENANT,
  SYSTEM_PRINCIPAL,
} from "@oven/contract";
import type { GrantReport } from "@oven/contract/access";
import type { ExecutionKind } from "@oven/contract/run";
import type { Definition, GraphPolicy, GraphPolicyRule, Workflow } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import { A2A_NAMESPACE, askAgentNode, createAgentTools } from "@oven/module-a2a";
import { createToolService, permissionsOf, type ToolService } from "@oven/module-agent-core";
import { API_NAMESPACE, callOperationNode, createOperationCatalogue } from "@oven/module-api-connections";
import { callToolNode, createToolCatalogue, MCP_NAMESPACE } from "@oven/module-mcp-connections";
import { type ModuleDefinition, Registry, type ServiceMap } from "@oven/module-registry";
import { createGraphFacts } from "@oven/module-workflow-agents";
import {
  buildGraph,
  CallClosure,
  checkPolicies,
  GrantReporter,
  operationsWithApproval,
  PolicyService,
  RegisteredNodes,
  VersionGrants,
} from "@oven/module-workflows";
import { readAgents } from "./read-agents.ts";
import { hasTable, type PublishedWorkflow, readVersion } from "./read-published.ts";

const ASKING_FOR_REVIEWS: ReadonlySet<GraphPolicyRule["kind"]> = new Set(["review-before", "untrusted-flow"]);

/** Steps that call one tool of a connection. */
const CALLING_ONE: ReadonlySet<string> = new Set([callToolNode.id, callOperationNode.id, askAgentNode.id]);

/** Tools that tenants have approved, by the table of their connections. */
const SOURCES = [
  ["mcp_connections", MCP_NAMESPACE, createToolCatalogue],
  ["api_connections", API_NAMESPACE, createOperationCatalogue],
  ["a2a_connections", A2A_NAMESPACE, createAgentTools],
] as const;

/** What the modules know of nodes and tools, applied to stored definitions. Nothing is started: it reads. */
export class Examiner {
  readonly nodes: RegisteredNodes;
  readonly #policies: PolicyService;
  readonly #rules = new Map<number, Promise<GraphPolicy[]>>();
  /** The reasons why something could not be examined. */
  readonly notes = new Set<string>();
  readonly #grants: GrantReporter;
  readonly #tools: ToolService;
  readonly #approved: ReadonlySet<string>;

  private constructor(db: Database, registry: Registry, services: ServiceMap, workflows: readonly PublishedWorkflow[]) {
    this.nodes = new RegisteredNodes(registry);
    this.#tools = services.tools;
    this.#approved = operationsWithApproval(registry);
    const calls = new CallClosure(
      (kind, by, idOrSlug, version) => find(db, workflows, { kind, by, idOrSlug, version }),
      this.nodes,
    );
    this.#policies = new PolicyService({ db, nodes: this.nodes, calls, kinds: { all: () => [] } });
    this.#policies.useFacts((tenantId) => createGraphFacts(services, tenantId));
    const grants = new VersionGrants({ nodes: this.nodes, calls, policies: this.#policies });
    this.#grants = new GrantReporter(grants, {
      listRoles: (tenantId) =>
        db.query<{ title: string; permissions: string[] }>(
          "select title, permissions from roles where tenant_id in (0, $1) order by tenant_id, id",
          [tenantId],
        ),
    });
  }

  static async open(
    db: Database,
    modules: readonly ModuleDefinition[],
    workflows: readonly PublishedWorkflow[],
  ): Promise<Examiner> {
    const registry = new Registry();
    for (const module of modules) registry.register(module);
    const services = {} as ServiceMap; // cast: looking at graphs takes the tools' declarations alone
    services.tools = createToolService({ registry, services });
    services.agents = readAgents(db) as ServiceMap["agents"]; // cast: as above
    for (const [table, namespace, createTools] of SOURCES) {
      if (!(await hasTable(db, table))) continue;
      const tools = createTools(db, () => undefined);
      await tools.refresh();
      services.tools.addSource(namespace, {
        list: (tenantId) => tools.list(tenantId),
        call: (id) => Promise.reject(new Error(`${id} is not called: this only reads`)),
      });
    }
    return new Examiner(db, registry, services, workflows);
  }

  /** What the steps of a workflow need and these permissions do not cover. */
  async missing(workflow: PublishedWorkflow, permissions: readonly string[]): Promise<GrantReport["missing"]> {
    const report = await this.#orNote(workflow, () =>
      this.#grants.report(principalOf(workflow), workflow.definition, {
        publishing: `${workflow.kind}s.update`,
        stored: permissions,
      }),
    );
    return report?.missing ?? [];
  }

  /** What the tools that an agent is bound to by their names need and its version does not cover, with the roles that have it. */
  missingOfTools(
    tenantId: number,
    bindings: readonly string[],
    { granted, roles }: { granted: readonly string[]; roles: readonly { title: string; permissions: string[] }[] },
  ): GrantReport["missing"] {
    const tools = new Map<string, string[]>();
    for (const info of this.#tools.named(bindings, tenantId).filter(({ id }) => bindings.includes(id)))
      for (const permission of permissionsOf(info))
        if (!isGranted(granted, permission)) tools.set(permission, [...(tools.get(permission) ?? []), info.id]);
    return [...tools].map(([permission, steps]) => ({
      permission,
      steps,
      roles: roles
        .filter((role) => isGranted(role.permissions, permission) && isGranted(role.permissions, "agents.update"))
        .map(({ title }) => title),
    }));
  }

  /** Its own steps that wait for a review of each call, and what each calls; not those that are handed the release of a review. */
  async waiting(workflow: PublishedWorkflow): Promise<{ step: string; calls: string }[]> {
    const { definition, tenantId } = workflow;
    const graph = await this.#orNote(workflow, async () =>
      // cast: published definitions are valid
      buildGraph(definition as unknown as Definition, {
        node: (src, version) => this.nodes.get(src, version),
        facts: this.#policies.factsOf(tenantId),
        // What it calls is looked at by itself.
        called: () => undefined,
      }),
    );
    return (graph?.places ?? []).flatMap(({ part, label, call }) => {
      if (part !== "state" || call === undefined) return [];
      const { src, input } = call;
      if (this.#approved.has(src)) return input.approval === undefined ? [{ step: label, calls: src }] : [];
      if (!CALLING_ONE.has(src) || typeof input.tool !== "string" || input.approved !== undefined) return [];
      const asks = this.#tools.get(input.tool, tenantId)?.needsApproval === true;
      return asks ? [{ step: label, calls: input.tool }] : [];
    });
  }

  /** What the policies that ask for reviews have against it, if that refuses its runs. */
  async violations(workflow: PublishedWorkflow): Promise<Problem[]> {
    const { tenantId, definition } = workflow;
    const policies = (await this.#policiesOf(tenantId)).filter(
      ({ severity, rule }) => severity === "error" && ASKING_FOR_REVIEWS.has(rule.kind),
    );
    if (policies.length === 0) return [];
    const found = await this.#orNote(workflow, async () => {
      const graph = await this.#policies.graph(principalOf(workflow), definition);
      return checkPolicies(graph, policies, this.#policies.factsOf(tenantId), tenantId);
    });
    return found ?? [];
  }

  #policiesOf(tenantId: number): Promise<GraphPolicy[]> {
    const known = this.#rules.get(tenantId) ?? this.#policies.rows.enabled(tenantId);
    this.#rules.set(tenantId, known);
    return known;
  }

  async #orNote<T>(workflow: PublishedWorkflow, look: () => Promise<T>): Promise<T | undefined> {
    try {
      return await look();
    } catch (error) {
      if (!isOvenError(error)) throw error;
      this.notes.add(`${describe(workflow)} could not be examined: ${error.message}`);
      return undefined;
    }
  }
}

/** `agent workflow Refunds (7)`. */
export function describe({ kind, name, id }: { kind: string; name: string; id: number | null }): string {
  return `${kind.replace("-", " ")} ${name} (${id})`;
}

function principalOf({ tenantId }: PublishedWorkflow): Principal {
  return { ...SYSTEM_PRINCIPAL, tenantId };
}

interface Wanted {
  kind: ExecutionKind;
  by: Principal;
  idOrSlug: string;
  version: number | undefined;
}

/** As the service of workflows finds them: by id or slug, the tenant's own before what is shared. */
async function find(
  db: Database,
  workflows: readonly PublishedWorkflow[],
  { kind, by, idOrSlug, version }: Wanted,
): Promise<Workflow> {
  const isWanted = (one: PublishedWorkflow): boolean =>
    one.kind === kind && (/^\d{1,15}$/.test(idOrSlug) ? one.id === Number(idOrSlug) : one.slug === idOrSlug);
  const found =
    workflows.find((one) => one.tenantId === by.tenantId && isWanted(one)) ??
    workflows.find((one) => one.tenantId === SHARED_TENANT && isWanted(one));
  if (found === undefined) throw notFound(kind, idOrSlug);
  const isPublished = version === undefined || version === found.version;
  const definition = isPublished ? found.definition : await readVersion(db, kind, found.id, version);
  if (definition === undefined) throw notFound(`version of ${kind} ${idOrSlug}`, version ?? found.version);
  const { id, tenantId, name, slug, enabled } = found;
  return {
    ...{ id, tenantId, name, slug, enabled, definition, version: version ?? found.version },
    ...{ description: null, agentConfig: null, memoryConfig: null, mcpExport: false, tags: [] },
    ...{ createdBy: found.publisherId, createdAt: "", updatedAt: "" },
  };
}
