import type { Principal } from "@oven/contract";
import type { SessionGraph, SessionGraphSpec, SessionGraphWarning } from "@oven/contract/formats/sessions.ts";
import type { Definition } from "@oven/contract/workflow";
import type { Database } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import { ownerOf } from "../../shared/owner.ts";
import { publishCompiled, releaseCompiled } from "../../shared/publish-compiled.ts";
import { slugOf, slugTaken } from "../../shared/slug.ts";
import { refuseProblems } from "../../shared/source-problem.ts";
import { checkGraph, type Functions, missingFunction } from "./check-graph.ts";
import { compileGraph } from "./compile-graph.ts";
import type { GraphRow, GraphStore } from "./graph-store.ts";

export interface GraphDeps {
  db: Database;
  services: ServiceMap;
  store: GraphStore;
}

/** Session graphs as their owner sees and changes them. Each change is one transaction with the agent workflow behind it. */
export class GraphService {
  readonly #deps: GraphDeps;

  constructor(deps: GraphDeps) {
    this.#deps = deps;
  }

  /** @throws OvenError SOURCE_INVALID with all problems, SLUG_TAKEN 409 */
  async create(principal: Principal, spec: SessionGraphSpec): Promise<SessionGraph> {
    const { db, services, store } = this.#deps;
    this.#requireGood(spec);
    const owner = ownerOf(principal);
    const name = nameOf(spec);
    const row = await db.jointly(async () => {
      const uuid = crypto.randomUUID();
      const wanted = spec.workflow_id ?? slugOf(name);
      const slug = await store.freeSlug(owner, wanted);
      if (spec.workflow_id !== undefined && slug !== wanted) throw slugTaken(wanted);
      const agentWorkflowId = await this.#publish(principal, null, uuid, spec);
      return store.insert({ ...owner, uuid, slug, name, spec, agentWorkflowId });
    });
    services.events.wake();
    return this.#shown(row);
  }

  /** The whole document anew; its id stays. Sessions that go on keep the one they began with. */
  async replace(principal: Principal, id: string, spec: SessionGraphSpec): Promise<SessionGraph> {
    const { db, services, store } = this.#deps;
    this.#requireGood(spec);
    const row = await db.jointly(async () => {
      const held = await store.get(ownerOf(principal), id, true);
      if (spec.workflow_id !== undefined && spec.workflow_id !== held.slug) throw slugTaken(spec.workflow_id);
      await this.#publish(principal, held.agentWorkflowId, held.uuid, spec);
      return store.update(held.uuid, { name: nameOf(spec), spec });
    });
    services.events.wake();
    return this.#shown(row);
  }

  async list(principal: Principal): Promise<SessionGraph[]> {
    return (await this.#deps.store.list(ownerOf(principal))).map((row) => this.#shown(row));
  }

  /** By UUID or slug. @throws OvenError NOT_FOUND, also of other users */
  async get(principal: Principal, id: string): Promise<SessionGraph> {
    return this.#shown(await this.#deps.store.get(ownerOf(principal), id));
  }

  /** The document as it was written. */
  async export(principal: Principal, id: string): Promise<SessionGraphSpec> {
    return (await this.#deps.store.get(ownerOf(principal), id)).spec;
  }

  /** With its sessions; those that go on are cancelled first. */
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
  compile(spec: SessionGraphSpec): { definition: Definition; warnings: SessionGraphWarning[] } {
    this.#requireGood(spec);
    const definition = compileGraph({ uuid: crypto.randomUUID(), spec, missing: missingFunction(this.#functions) });
    return { definition, warnings: checkGraph(spec, this.#functions).warnings };
  }

  #requireGood(spec: SessionGraphSpec): void {
    refuseProblems(checkGraph(spec, this.#functions).problems);
  }

  #publish(principal: Principal, id: number | null, uuid: string, spec: SessionGraphSpec): Promise<number> {
    const definition = compileGraph({ uuid, spec, missing: missingFunction(this.#functions) });
    const source = { name: nameOf(spec), description: spec.description ?? "", enabled: true, definition };
    return publishCompiled(this.#deps.services, principal, id, source);
  }

  #shown(row: GraphRow): SessionGraph {
    const { uuid, slug, name, spec, agentWorkflowId, createdAt, updatedAt } = row;
    return {
      graph_id: uuid,
      slug,
      name,
      description: spec.description ?? "",
      definition: spec,
      warnings: checkGraph(spec, this.#functions).warnings,
      agent_workflow_id: agentWorkflowId,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
    };
  }

  get #functions(): Functions {
    return this.#deps.services.workflowPlatform.nodes;
  }
}

const nameOf = ({ name }: SessionGraphSpec): string => name ?? "Session graph";
