import { type JsonObject, OvenError } from "@oven/contract";
import type { TriggerType } from "@oven/contract/trigger";
import { fromZod, type RegistryView, type TriggerDefinition } from "@oven/module-registry";
import { toJsonSchema } from "@oven/module-workflows";

/** The kinds of triggers that all installed modules bring. */
export class TriggerCatalog {
  readonly #types: ReadonlyMap<string, TriggerDefinition>;

  constructor(registry: RegistryView) {
    this.#types = new Map(registry.triggers().map(({ trigger }) => [trigger.id, trigger]));
  }

  list(): TriggerType[] {
    return [...this.#types.values()].map(({ id, title, docs, config, sample, arriving }) => ({
      id,
      title,
      docs,
      configSchema: toJsonSchema(config, "input"),
      sample,
      arriving: arriving === undefined ? null : [...arriving],
    }));
  }

  find(type: string): TriggerDefinition | undefined {
    return this.#types.get(type);
  }

  /** @throws OvenError TRIGGER_TYPE_UNKNOWN 422 */
  get(type: string): TriggerDefinition {
    const found = this.#types.get(type);
    if (found !== undefined) return found;
    throw new OvenError("TRIGGER_TYPE_UNKNOWN", `There is no kind of trigger called ${type}`, {
      status: 422,
      path: "$.type",
      fix: `One of: ${[...this.#types.keys()].join(", ")}.`,
    });
  }

  /** The settings with their defaults. @throws OvenError INVALID_REQUEST naming the place */
  parse(definition: TriggerDefinition, config: JsonObject): JsonObject {
    const parsed = definition.config.safeParse(config);
    if (!parsed.success) throw fromZod(parsed.error, "$.config");
    return parsed.data as JsonObject; // cast: every type's settings are JSON
  }
}
