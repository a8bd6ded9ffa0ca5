import type { Definition, ExecutionKind } from "@oven/contract";
import { compileDefinition, type DefinitionSource, type NodeCatalog } from "@oven/engine";
import type { RunDefaults } from "../run-config.ts";

const SIZE = 200;

type Loaded = Awaited<ReturnType<DefinitionSource["load"]>>;

export interface ConfiguredDefinitionsOptions {
  /** @throws OvenError when the version does not exist */
  read(
    kind: ExecutionKind,
    workflowId: number,
    version: number,
  ): Promise<{ definition: Definition; workflowName: string }>;
  /** What holds for a definition that says nothing itself, for the tenant of the run. */
  defaults(kind: ExecutionKind, tenantId: number, workflowId: number): Promise<RunDefaults>;
  catalog: NodeCatalog;
}

/**
 * Pinned definitions, compiled with the configured defaults of what they leave out. A version is compiled once for each
 * set of defaults; a changed configuration counts from the next time a worker takes a run up.
 */
export function createConfiguredDefinitions(options: ConfiguredDefinitionsOptions): DefinitionSource {
  const cache = new Map<string, Loaded>();
  return {
    async load(kind, workflowId, version, tenantId) {
      const defaults = await options.defaults(kind, tenantId, workflowId);
      const key = JSON.stringify([kind, workflowId, version, defaults.maxToolIterations, defaults.timeoutMs]);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const { definition, workflowName } = await options.read(kind, workflowId, version);
      const loaded = { compiled: compileDefinition({ ...defaults, ...definition }, options.catalog), workflowName };
      if (cache.size >= SIZE) cache.delete(cache.keys().next().value ?? "");
      cache.set(key, loaded);
      return loaded;
    },
  };
}
