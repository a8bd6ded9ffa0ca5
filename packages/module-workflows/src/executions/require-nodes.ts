import { OvenError } from "@oven/contract";
import type { Definition, Workflow } from "@oven/contract/workflow";
import { listStates, type NodeCatalog } from "@oven/engine";

const CACHE_SIZE = 1_000;

/** Refuses to start what has a node of a module that is not installed: nothing of it shall happen then. */
export class InstalledNodes {
  readonly #catalog: NodeCatalog;
  /** Versions never change, and installed node types do not change while a process runs, so results are cached. */
  readonly #complete = new Set<string>();

  constructor(catalog: NodeCatalog) {
    this.#catalog = catalog;
  }

  /** @throws OvenError NODE_UNAVAILABLE 409 */
  require({ id, version, name, definition }: Pick<Workflow, "id" | "version" | "name" | "definition">): void {
    const key = `${id}@${version}`;
    if (this.#complete.has(key)) return;
    // cast: published definitions are valid
    for (const { state, path } of listStates(definition as unknown as Definition)) {
      const { invoke } = state;
      if (invoke === undefined || this.#catalog.get(invoke.src, invoke.version) !== undefined) continue;
      const node = invoke.version === undefined ? invoke.src : `${invoke.src} in version ${invoke.version}`;
      throw new OvenError("NODE_UNAVAILABLE", `${name} cannot run: the node type ${node} is not installed`, {
        status: 409,
        path: `$.${path.join(".")}.invoke.src`,
        fix: "Install the module that brings it, or publish a version without it.",
      });
    }
    if (this.#complete.size >= CACHE_SIZE) this.#complete.clear();
    this.#complete.add(key);
  }
}
