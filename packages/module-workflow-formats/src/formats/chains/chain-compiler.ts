import type { Principal } from "@oven/contract";
import type { ChainSpec, ExecutorSpec, ToolManifest } from "@oven/contract/formats/chains.ts";
import type { Definition } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import { publishCompiled } from "../../shared/publish-compiled.ts";
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
    const { name, description, enabled } = chain;
    const definition = await this.compile(principal, chain);
    return publishCompiled(this.#deps.services, principal, id, { name, description, enabled, definition });
  }

  async compile(
    principal: Principal,
    { uuid, threadId, manifest, executors }: Omit<Compiled, "name" | "description" | "enabled">,
  ): Promise<Definition> {
    const resolved = await Promise.all(
      executors.map(async (executor) => ({
        ...executor,
        resolvedModel: await resolveModel(this.#deps.services.ai, executor.model, principal.tenantId),
      })),
    );
    return compileChain({ uuid, threadId, manifest, executors: resolved });
  }

  /** Whether the person who started a run is notified of its end. */
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
