import { type Json, OvenError } from "@oven/contract";
import type { ConfigKey, RegistryView } from "../define/define-module.ts";

/**
 * The declaration of a configuration key.
 * @throws OvenError CONFIG_KEY_UNKNOWN 422 naming what is known
 */
export function findConfigKey(registry: RegistryView, moduleName: string, key: string): ConfigKey {
  const found = configKeysOf(registry, moduleName).find((entry) => entry.key === key);
  if (found !== undefined) return found;
  const known = configKeysOf(registry, moduleName).map((entry) => entry.key);
  throw new OvenError("CONFIG_KEY_UNKNOWN", `${moduleName} declares no configuration key ${key}`, {
    status: 422,
    path: "$.key",
    fix: known.length === 0 ? `${moduleName} has no configuration.` : `Its keys are ${known.join(", ")}.`,
  });
}

/** @throws OvenError CONFIG_KEY_UNKNOWN 422 for a module that is not installed */
export function configKeysOf(registry: RegistryView, moduleName: string): readonly ConfigKey[] {
  const module = registry.modules().find(({ name }) => name === moduleName);
  if (module !== undefined) return module.configSchema;
  const names = registry
    .modules()
    .filter(({ configSchema }) => configSchema.length > 0)
    .map(({ name }) => name);
  throw new OvenError("CONFIG_KEY_UNKNOWN", `There is no module ${moduleName}`, {
    status: 422,
    path: "$.moduleName",
    fix: `Modules with configuration: ${names.join(", ") || "none"}.`,
  });
}

/** @throws OvenError CONFIG_VALUE_INVALID when a value is not what its key declares */
export function checkConfigValue(moduleName: string, declared: ConfigKey, value: Json): void {
  const wrong = isOfType(declared.type, value) ? violation(declared, value) : `must be of type ${declared.type}`;
  if (wrong === undefined) return;
  throw new OvenError("CONFIG_VALUE_INVALID", `${moduleName} ${declared.key}: the value ${wrong}`, {
    path: "$.value",
    fix: `${declared.description}. Default: ${JSON.stringify(declared.defaultValue)}.`,
    details: { moduleName, key: declared.key },
  });
}

/** @throws OvenError CONFIG_NOT_INSTANCED for an instance's value of a key that no instance reads */
export function checkConfigInstance(moduleName: string, declared: ConfigKey): void {
  if (declared.instances !== undefined) return;
  throw new OvenError("CONFIG_NOT_INSTANCED", `${moduleName} ${declared.key} has no values for single instances`, {
    path: "$.scopeId",
    fix: "Leave scopeId out.",
  });
}

function isOfType(type: ConfigKey["type"], value: Json): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "number":
      return typeof value === "number";
    case "string":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
  }
}

function violation({ schema }: ConfigKey, value: Json): string | undefined {
  const result = schema?.safeParse(value);
  return result === undefined || result.success ? undefined : `is refused: ${result.error.issues[0]?.message}`;
}
