import type { Definition, ExecutionKind } from "@oven/contract";
import { compileDefinition } from "../compile/compile-definition.ts";
import type { CompiledMachine } from "../compile/machine.ts";
import type { DefinitionSource, NodeCatalog } from "../ports.ts";

const SIZE = 200;

/** Compiles a version once; versions never change. `read` throws when the version does not exist. */
export function createDefinitionCache(
  read: (
    kind: ExecutionKind,
    workflowId: number,
    version: number,
  ) => Promise<{ definition: Definition; workflowName: string }>,
  catalog: NodeCatalog,
): DefinitionSource {
  const cache = new Map<string, { compiled: CompiledMachine; workflowName: string }>();
  return {
    async load(kind, workflowId, version) {
      const key = `${kind} ${workflowId} ${version}`;
      const known = cache.get(key);
      if (known) return known;
      const { definition, workflowName } = await read(kind, workflowId, version);
      const loaded = { compiled: compileDefinition(definition, catalog), workflowName };
      if (cache.size >= SIZE) cache.delete(cache.keys().next().value ?? "");
      cache.set(key, loaded);
      return loaded;
    },
  };
}
