import type { NodeCatalog } from "@oven/engine";
import { defineModule } from "@oven/module-registry";
import { startFormats } from "../../shared/testing/start-formats.ts";

/** The nodes that drafts are validated with. */
export async function productCatalog(): Promise<NodeCatalog> {
  let nodes: NodeCatalog | undefined;
  const reader = defineModule({
    name: "module-catalog-reader",
    namespace: "catalogReader",
    description: "Hands the nodes to a test.",
    dependencies: ["module-workflows"],
    permissions: [],
    services: async ({ services }) => {
      nodes = services.workflowPlatform.nodes;
      return {};
    },
  });
  const oven = await startFormats(
    () => {
      throw new Error("no model is asked");
    },
    { modules: [reader] },
  );
  await oven.stop();
  if (nodes === undefined) throw new Error("the nodes were not there");
  return nodes;
}
