import { defineModule, type ModuleDefinition, NO_PERSON_DATA } from "@oven/module-registry";

/** An assistant that builds, explains and repairs agent workflows. */
export function createBuilderModule(): ModuleDefinition {
  return defineModule({
    name: "module-builder",
    namespace: "builder",
    description: "An assistant that builds, explains and repairs agent workflows.",
    dependencies: ["module-registry"],
    personData: NO_PERSON_DATA,
    services: async () => ({}),
  });
}
