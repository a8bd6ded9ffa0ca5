import type { ChainSpec, ExecutorSpec, JsonObject, Principal, ToolManifest } from "@oven/contract";
import type { Database } from "@oven/db";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import type { ChainStore } from "./chain-store.ts";
import { compileChain } from "./compile-chain.ts";
import { resolveModel } from "./resolve-model.ts";
import { toManifest } from "./tool-manifest.ts";

export interface ChainDeps {
  db: Database;
  services: ServiceMap;
  store: ChainStore;
}

interface Compiled {
  uuid: string;
  threadId: string;
  name: string;
  description: string;
  enabled: boolean;
  executors: ExecutorSpec[];
  manifest: ToolManifest;
}

/** Keeps the agent workflow behind a chain as the chain says. */
export class ChainCompiler {
  readonly #deps: ChainDeps;

  constructor(deps: ChainDeps) {
    this.#deps = deps;
  }

  /** The tools of a chain as they are now. */
  manifest({ tenantId }: Principal, executors: readonly ExecutorSpec[]): ToolManifest {
    const names = [...new Set(executors.flatMap(({ tools }) => tools))];
    const tools = names.flatMap((name) => this.#deps.services.tools.get(name, tenantId) ?? []);
    return toManifest(tools, new Date());
  }

  /** @param id the agent workflow it has; null: it is made. Returns its id. */
  async publish(principal: Principal, id: number | null, chain: Compiled): Promise<number> {
    const { services } = this.#deps;
    const { workflows } = services.workflowPlatform.face("agent-workflow");
    const { name, description, enabled, executors, ...source } = chain;
    const resolved = await Promise.all(
      executors.map(async (executor) => ({
        ...executor,
        resolvedModel: await resolveModel(services.ai, executor.model, principal.tenantId),
      })),
    );
    const definition = compileChain({ ...source, executors: resolved }) as unknown as JsonObject; // cast: a definition is JSON, only its type has optional members
    const body = { name, description, enabled, definition };
    requirePermission(principal, id === null ? "agent-workflows.create" : "agent-workflows.update");
    return (id === null ? await workflows.create(principal, body) : await workflows.update(principal, String(id), body))
      .id;
  }

  /** Whether whoever started a run is told of its end. */
  async notify(
    principal: Principal,
    workflowId: number,
    { notify_on_complete, notify_on_failure }: Pick<ChainSpec, "notify_on_complete" | "notify_on_failure">,
  ): Promise<void> {
    const said = { onComplete: notify_on_complete, onFailure: notify_on_failure };
    await this.#deps.services.notifications.setWorkflowNotify(
      principal.tenantId,
      { kind: "agent-workflow", workflowId },
      said,
    );
  }
}
