import { OvenError } from "@oven/contract";
import type { ActionDefinition } from "./define/define-action.ts";
import type { ModuleDefinition, Permission, RegistryView } from "./define/define-module.ts";
import type { NodeDefinition } from "./define/define-node.ts";
import type { Route } from "./define/define-route.ts";
import type { ToolDefinition } from "./define/define-tool.ts";
import type { TriggerDefinition } from "./define/define-trigger.ts";

/**
 * Holds what modules declare. Registering without a dependency, or a second owner of a name, route, node, tool,
 * event, table or permission, throws.
 */
export class Registry implements RegistryView {
  readonly #modules = new Map<string, ModuleDefinition>();
  readonly #owners = new Map<string, string>();

  register(module: ModuleDefinition): void {
    for (const dependency of module.dependencies) {
      if (!this.#modules.has(dependency)) {
        throw new OvenError(
          "MODULE_DEPENDENCY_MISSING",
          `${module.name} needs ${dependency}, which is not registered`,
          {
            status: 500,
            fix: `Register ${dependency} before ${module.name}.`,
          },
        );
      }
    }
    for (const action of module.actions) checkAction(module, action);
    const claims = [...this.#claimsOf(module)];
    for (const claim of claims) {
      const owner = this.#owners.get(claim);
      if (owner !== undefined || claims.indexOf(claim) !== claims.lastIndexOf(claim)) {
        throw new OvenError(
          "DUPLICATE_REGISTRATION",
          `${claim} is declared twice: by ${owner ?? module.name} and ${module.name}`,
          {
            status: 500,
            fix: "Rename one of them.",
          },
        );
      }
    }
    for (const claim of claims) this.#owners.set(claim, module.name);
    this.#modules.set(module.name, module);
  }

  modules(): readonly ModuleDefinition[] {
    return [...this.#modules.values()];
  }

  routes(): readonly { module: ModuleDefinition; route: Route }[] {
    return this.modules().flatMap((module) => module.routes.map((route) => ({ module, route })));
  }

  nodes(): readonly { module: ModuleDefinition; node: NodeDefinition }[] {
    return this.modules().flatMap((module) => module.nodes.map((node) => ({ module, node })));
  }

  tools(): readonly { module: ModuleDefinition; tool: ToolDefinition }[] {
    return this.modules().flatMap((module) => module.tools.map((tool) => ({ module, tool })));
  }

  triggers(): readonly { module: ModuleDefinition; trigger: TriggerDefinition }[] {
    return this.modules().flatMap((module) => module.triggers.map((trigger) => ({ module, trigger })));
  }

  permissions(): readonly Permission[] {
    return this.modules().flatMap((module) => module.permissions);
  }

  *#claimsOf(module: ModuleDefinition): Iterable<string> {
    yield `module ${module.name}`;
    yield `namespace ${module.namespace}`;
    for (const route of module.routes) yield `route ${route.method} ${route.path.replace(/\[[^\]]+\]/g, "[]")}`;
    // A route with an operation is a node and a tool of that name.
    const covered = new Set(module.actions.map(({ covers }) => covers));
    for (const { operation } of module.routes) {
      if (operation === false) continue;
      yield `node ${module.namespace}.${operation}@1`;
      if (!covered.has(operation)) yield `tool ${module.namespace}.${operation}`;
    }
    for (const node of module.nodes) yield `node ${node.id}@${node.version}`;
    for (const { name } of module.actions) yield `tool ${module.namespace}.${name}`;
    for (const tool of module.tools) yield `tool ${tool.id}`;
    for (const event of Object.keys(module.events.emits)) yield `event ${event}`;
    for (const table of Object.keys(module.schema)) yield `table ${table}`;
    for (const permission of module.permissions) yield `permission ${permission.id}`;
    for (const { name } of module.gauges) yield `gauge ${name}`;
    for (const { key } of module.configSchema) yield `configuration key ${module.name} ${key}`;
  }
}

/** @throws OvenError ACTION_INVALID: it covers nothing that is there, or does not say what it does */
function checkAction({ name: module, routes }: ModuleDefinition, action: ActionDefinition): void {
  const { name, covers, toArguments, run, effect } = action;
  const refuse = (message: string, fix: string) =>
    new OvenError("ACTION_INVALID", `The action ${name} of ${module} ${message}`, { status: 500, fix });
  if (covers !== undefined && !routes.some(({ operation, raw }) => operation === covers && !raw))
    throw refuse(`covers ${covers}, which is no operation there`, "Name the operation of one of the module's routes.");
  if ((toArguments === undefined) === (run === undefined))
    throw refuse("needs either `toArguments` or `run`", "Give one of them.");
  if (covers === undefined && (run === undefined || effect === undefined))
    throw refuse("covers no route, so it needs `run` and `effect`", "Give both, or name the operation it covers.");
}
