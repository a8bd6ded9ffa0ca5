import { defineModule, type ServiceMap } from "@oven/module-registry";
import { startFormats } from "../../shared/testing/start-formats.ts";

type ProductNodes = ServiceMap["workflowPlatform"]["nodes"];

let loaded: Promise<ProductNodes> | undefined;

/** The nodes of the product, which drafts are validated with. */
export function productNodes(): Promise<ProductNodes> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<ProductNodes> {
  let nodes: ProductNodes | undefined;
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
