import { isOvenError, OvenError, type Principal, withoutBounds } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { Workflow } from "@oven/contract/workflow";
import type { NodeCatalog } from "@oven/engine";
import { type CalledWorkflow, calledWorkflows, type PinnedCalls, pinKey } from "./called-workflows.ts";

/** In the version that is published now, or in the one that is named. @throws OvenError NOT_FOUND */
type Find = (kind: ExecutionKind, principal: Principal, idOrSlug: string, version?: number) => Promise<Workflow>;

const CACHE_SIZE = 1_000;

/** One name for a call as a definition writes it. */
export function callName(kind: ExecutionKind, idOrSlug: string, version?: number): string {
  return version === undefined ? `${kind}:${idOrSlug}` : `${kind}:${idOrSlug}@${version}`;
}

/** Everything a workflow calls, and what that calls, each in the version that is published now. */
export class CallClosure {
  readonly #find: Find;
  readonly #catalog: NodeCatalog;
  /** Versions never change, so what they call does not either. */
  readonly #calls = new Map<string, readonly CalledWorkflow[]>();

  constructor(find: Find, catalog: NodeCatalog) {
    this.#find = find;
    this.#catalog = catalog;
  }

  /** For a run: what cannot be found is left to the step that calls it. */
  async pin(principal: Principal, kind: ExecutionKind, workflow: Workflow): Promise<PinnedCalls> {
    const pins: PinnedCalls = {};
    await this.#add(principal, this.#callsOf(kind, workflow), pins, false);
    return pins;
  }

  /**
   * Every workflow it calls, and what those call, by `callName`; what cannot be found is left out.
   * @param pins versions that a run calls instead of those that are published now
   */
  async workflows(
    principal: Principal,
    definition: Workflow["definition"],
    pins: Readonly<PinnedCalls> = {},
  ): Promise<ReadonlyMap<string, Workflow>> {
    const found = new Map<string, Workflow>();
    const queue = [...calledWorkflows(definition, this.#catalog)];
    for (const call of queue) {
      const key = callName(call.kind, call.workflow, call.version);
      const published = found.has(key) ? undefined : await this.#lookUp(principal, call, false);
      if (published === undefined) continue;
      const version = pins[pinKey(call.kind, published.id, call.version)] ?? published.version;
      const isOther = version !== published.version;
      const workflow = isOther ? await this.#lookUp(principal, { ...call, version }, false) : published;
      if (workflow === undefined) continue;
      found.set(key, workflow);
      queue.push(...this.#callsOf(call.kind, workflow));
    }
    return found;
  }

  /** For a version to be published. @throws OvenError REFERENCE_MISSING 422 */
  async check(
    principal: Principal,
    definition: Workflow["definition"],
    self: { kind: ExecutionKind; slug: string },
  ): Promise<PinnedCalls> {
    const pins: PinnedCalls = {};
    const calls = calledWorkflows(definition, this.#catalog);
    const others = calls.filter(({ kind, workflow }) => kind !== self.kind || workflow !== self.slug);
    await this.#add(principal, others, pins, true);
    return pins;
  }

  async #add(
    principal: Principal,
    calls: readonly CalledWorkflow[],
    pins: PinnedCalls,
    strict: boolean,
  ): Promise<void> {
    for (const call of calls) {
      const found = await this.#lookUp(principal, call, strict);
      if (found === undefined) continue;
      const key = pinKey(call.kind, found.id, call.version);
      if (pins[key] !== undefined) continue;
      pins[key] = found.version;
      await this.#add(principal, this.#callsOf(call.kind, found), pins, false);
    }
  }

  /** One that is called by a literal name, with its definition in the version that is named; undefined: there is none. */
  async find(principal: Principal, call: Omit<CalledWorkflow, "path">): Promise<Workflow | undefined> {
    return this.#lookUp(principal, { ...call, path: "" }, false);
  }

  async #lookUp(
    principal: Principal,
    { kind, workflow, version, path }: CalledWorkflow,
    strict: boolean,
  ): Promise<Workflow | undefined> {
    try {
      return await this.#find(kind, withoutBounds(principal), workflow, version);
    } catch (error) {
      if (!isOvenError(error) || error.status !== 404) throw error;
      if (!strict) return undefined;
      const what = version === undefined ? `${kind} ${workflow}` : `version ${version} of the ${kind} ${workflow}`;
      throw new OvenError("REFERENCE_MISSING", `${path}: there is no ${what}`, {
        status: 422,
        path,
        fix: "Name an existing one by id or slug, or create it first.",
      });
    }
  }

  #callsOf(kind: ExecutionKind, { id, version, updatedAt, definition }: Workflow): readonly CalledWorkflow[] {
    // A version that was rolled back may come again as another one.
    const key = `${pinKey(kind, id)}@${version}/${updatedAt}`;
    const known = this.#calls.get(key);
    if (known !== undefined) return known;
    if (this.#calls.size >= CACHE_SIZE) this.#calls.clear();
    const calls = calledWorkflows(definition, this.#catalog);
    this.#calls.set(key, calls);
    return calls;
  }
}
