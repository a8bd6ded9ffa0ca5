import type { JsonObject } from "@oven/contract";
import type { ExecutionKind, RunOptions } from "@oven/contract/run";
import type { Definition } from "@oven/contract/workflow";
import {
  type CompiledMachine,
  compileDefinition,
  configKeysOf,
  type DefinitionSource,
  type LoadedDefinition,
  type NodeCatalog,
  outlineOf,
  type PinnedRun,
  type RunOutline,
  takeVerbatim,
} from "@oven/engine";
import type { RunDefaults } from "../run-config.ts";

const SIZE = 200;

interface Cached {
  compiled: CompiledMachine;
  workflowName: string;
  configKeys: readonly string[];
}

export interface ConfiguredDefinitionsOptions {
  /** @throws OvenError when the version does not exist */
  read(
    kind: ExecutionKind,
    workflowId: number,
    version: number,
  ): Promise<{ definition: Definition; workflowName: string }>;
  /** The values that `$config` reads. */
  config(kind: ExecutionKind, tenantId: number, workflowId: number, keys: readonly string[]): Promise<JsonObject>;
  /** What holds for a definition that says nothing itself, for the tenant of the run. */
  defaults(kind: ExecutionKind, tenantId: number, workflowId: number): Promise<RunDefaults>;
  catalog: NodeCatalog;
}

export interface ConfiguredDefinitions extends DefinitionSource {
  /** A definition that is not stored, configured as a run would get it. @throws OvenError where it cannot be compiled */
  compile(run: PinnedRun, definition: JsonObject): Promise<{ compiled: CompiledMachine }>;
}

/**
 * Pinned definitions, compiled with the configured defaults of what they leave out. A version is compiled once for each
 * set of defaults; a changed configuration counts from the next time a worker takes a run up.
 */
export function createConfiguredDefinitions(options: ConfiguredDefinitionsOptions): ConfiguredDefinitions {
  const cache = new Map<string, Cached>();
  const outlines = new Map<string, RunOutline>();
  const withConfig = async (
    { configKeys, ...loaded }: Cached,
    kind: ExecutionKind,
    tenantId: number,
    workflowId: number,
  ): Promise<LoadedDefinition> =>
    configKeys.length === 0
      ? loaded
      : { ...loaded, config: await options.config(kind, tenantId, workflowId, configKeys) };
  const compile = (
    definition: Definition,
    { checkpoints, costCapMicros, ...settings }: RunDefaults,
    part: string | null,
    run: RunOptions | null,
  ): CompiledMachine => {
    const maxCostMicros = Math.min(costCapMicros, definition.maxCostMicros ?? costCapMicros);
    const configured = { ...settings, ...definition, maxCostMicros };
    return compileDefinition(configured, options.catalog, { part, checkpoints, options: run });
  };
  return {
    async compile({ kind, workflowId, tenantId, part, options: run }, definition) {
      const defaults = await options.defaults(kind, tenantId, workflowId);
      return { compiled: compile(definition as unknown as Definition, defaults, part, run) }; // cast: it was checked
    },
    async load({ kind, workflowId, workflowVersion: version, tenantId, part, options: run }) {
      const defaults = await options.defaults(kind, tenantId, workflowId);
      // Only the names of pins and of loops decide what is compiled; their values stay with the run.
      const { from, until, items = {}, pins = {} } = run ?? {};
      const shape = run && [from, until, Object.keys(items).sort(), Object.keys(pins).sort()];
      const key = JSON.stringify([kind, workflowId, version, part, shape, defaults]);
      const known = cache.get(key);
      if (known !== undefined) return withConfig(known, kind, tenantId, workflowId);
      const { definition, workflowName } = await options.read(kind, workflowId, version);
      const compiled = compile(definition, defaults, part, run);
      const loaded = { compiled, workflowName, configKeys: configKeysOf(takeVerbatim(definition, options.catalog)) };
      remember(cache, key, loaded);
      remember(outlines, JSON.stringify([kind, workflowId, version, part]), outlineOf(definition, part));
      return withConfig(loaded, kind, tenantId, workflowId);
    },
    async outline(kind, workflowId, version, part) {
      const key = JSON.stringify([kind, workflowId, version, part]);
      const known = outlines.get(key);
      if (known !== undefined) return known;
      const outline = outlineOf((await options.read(kind, workflowId, version)).definition, part);
      remember(outlines, key, outline);
      return outline;
    },
  };
}

function remember<T>(cache: Map<string, T>, key: string, value: T): void {
  if (cache.size >= SIZE) cache.delete(cache.keys().next().value ?? "");
  cache.set(key, value);
}
