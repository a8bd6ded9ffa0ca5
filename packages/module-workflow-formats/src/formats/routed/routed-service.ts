import { isOvenError, type JsonObject, OvenError, type Principal } from "@oven/contract";
import type { RoutedGraph, RoutedGraphSpec } from "@oven/contract/formats/routed.ts";
import type { Definition } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import { ownerOf } from "../../shared/owner.ts";
import { publishCompiled, releaseCompiled } from "../../shared/publish-compiled.ts";
import { refuseProblems } from "../../shared/source-problem.ts";
import { checkRouted, type KnownAgent } from "./check-routed.ts";
import { compileRouted } from "./compile-routed.ts";
import { type Repair, repaired, repairOf } from "./repair-routed.ts";
import type { RoutedRow, RoutedStore } from "./routed-store.ts";

export interface RoutedDeps {
  db: Database;
  services: ServiceMap;
  store: RoutedStore;
}

/** Routed graphs as their documents have them. Each change is one transaction with the agent workflow behind it. */
export class RoutedService {
  readonly #deps: RoutedDeps;

  constructor(deps: RoutedDeps) {
    this.#deps = deps;
  }

  /**
   * Makes the graph, or puts the document in the place of the one with its id: what is no longer in it is gone. Runs that go
   * on keep the graph they began with.
   * @param repair adds what a refusal would have offered
   * @throws OvenError SOURCE_INVALID with all problems, and `repair` where nodes are missing whose agents are there
   */
  async put(
    principal: Principal,
    given: RoutedGraphSpec,
    repair = false,
  ): Promise<{ graph: RoutedGraph; created: boolean }> {
    const { db, services, store } = this.#deps;
    const spec = await this.#good(principal, given, repair);
    const owner = ownerOf(principal);
    const result = await db.jointly(async () => {
      const held = await store.find(owner, spec.id, true);
      // What is written as it stands changes nothing.
      if (held !== undefined && JSON.stringify(held.spec) === JSON.stringify(spec))
        return { row: held, created: false };
      const source = { name: spec.name, description: spec.description, enabled: true, definition: compileRouted(spec) };
      const agentWorkflowId = await publishCompiled(services, principal, held?.agentWorkflowId ?? null, source);
      const row =
        held === undefined
          ? await store.insert({ ...owner, graphId: spec.id, name: spec.name, spec, agentWorkflowId })
          : await store.update(held, { name: spec.name, spec });
      return { row, created: held === undefined };
    });
    services.events.wake();
    return { graph: await this.#shown(principal, result.row), created: result.created };
  }

  async list(principal: Principal): Promise<RoutedGraph[]> {
    const rows = await this.#deps.store.list(ownerOf(principal));
    return Promise.all(rows.map((row) => this.#shown(principal, row)));
  }

  /** By the id of its document. @throws OvenError NOT_FOUND, also of other users */
  async get(principal: Principal, id: string): Promise<RoutedGraph> {
    return this.#shown(principal, await this.#deps.store.get(ownerOf(principal), id));
  }

  /** The document as it was written. */
  async export(principal: Principal, id: string): Promise<RoutedGraphSpec> {
    return (await this.#deps.store.get(ownerOf(principal), id)).spec;
  }

  /** With its conversations; those that go on are cancelled first. */
  async delete(principal: Principal, id: string): Promise<void> {
    const { db, services, store } = this.#deps;
    const { agentWorkflowId } = await store.get(ownerOf(principal), id);
    await releaseCompiled(services, principal, agentWorkflowId);
    await db.jointly(async () => {
      const row = await store.get(ownerOf(principal), id, true);
      await store.delete(row);
      const { workflows } = services.workflowPlatform.face("agent-workflow");
      await workflows.delete(principal, String(row.agentWorkflowId), false);
    });
    services.events.wake();
  }

  /** What it would be compiled to; nothing is stored. @throws OvenError SOURCE_INVALID */
  async compile(principal: Principal, spec: RoutedGraphSpec): Promise<Definition> {
    return compileRouted(await this.#good(principal, spec, false));
  }

  async #good(principal: Principal, given: RoutedGraphSpec, repair: boolean): Promise<RoutedGraphSpec> {
    const { services } = this.#deps;
    const named = new Map<string, string>();
    for (const { name, slug } of await services.agents.list(principal)) named.set(name, slug);
    const offered = repairOf(given, (name) => named.get(name));
    const spec = repair && offered !== null ? repaired(given, offered) : given;
    const agents = new Map<string, KnownAgent>();
    for (const { agentId } of spec.nodes) {
      const known = agentId === null ? undefined : await this.#agent(principal, agentId);
      if (agentId !== null && known !== undefined) agents.set(agentId, known);
    }
    const problems = checkRouted(spec, agents, [...named.values()]);
    try {
      refuseProblems(problems);
    } catch (error) {
      throw offered === null || !isOvenError(error) ? error : withRepair(error, offered);
    }
    return spec;
  }

  async #agent(principal: Principal, id: string): Promise<KnownAgent | undefined> {
    try {
      const { name, toolBindings } = await this.#deps.services.agents.get(principal, id);
      return { name, hasTools: toolBindings.length > 0 };
    } catch (error) {
      if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  async #shown(principal: Principal, row: RoutedRow): Promise<RoutedGraph> {
    const { spec, agentWorkflowId, createdAt, updatedAt } = row;
    const { workflows } = this.#deps.services.workflowPlatform.face("agent-workflow");
    const { version } = await workflows.get(principal, String(agentWorkflowId));
    const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
    return { ...spec, agentWorkflowId, version, ...times };
  }
}

/** The refusal, with what would make the document whole. */
function withRepair(error: OvenError, repair: Repair): OvenError {
  return new OvenError(error.code, error.message, {
    status: error.status,
    ...(error.path === undefined ? {} : { path: error.path }),
    fix: "Add the nodes and edges in `details.repair`, or import it with `repair: true`.",
    details: { ...error.details, repair: repair as unknown as JsonObject }, // cast: it is JSON
    cause: error,
  });
}
