import { type CatalogEntry, isComputable, type NodeCatalog, type NodeRunner } from "@oven/engine";

/** A runner in front of another one that refuses every node which asks outside. */
export function onlyComputing(
  nodes: NodeRunner,
  catalog: NodeCatalog,
  mayRun: (entry: CatalogEntry) => boolean = isComputable,
): NodeRunner {
  const check = (src: string, version: number): void => {
    const entry = catalog.get(src, version);
    if (entry === undefined || !mayRun(entry)) throw new Error(`${src} was about to be called, and it asks outside`);
  };
  return {
    run: async (call) => {
      check(call.src, call.version);
      return nodes.run(call);
    },
    resume: async (call, signal) => {
      check(call.src, call.version);
      return nodes.resume(call, signal);
    },
    runItem: async (call, item) => {
      check(call.src, call.version);
      return nodes.runItem(call, item);
    },
  };
}
