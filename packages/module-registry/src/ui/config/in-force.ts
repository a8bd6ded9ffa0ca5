import { type ConfigCascade, type ConfigSource, ConfigSourceSchema } from "@oven/contract/system";

export type StoredValue = ConfigCascade["stored"][number];

/** The ids of single ones that have values of their own, each once. */
export function instancesOf({ stored }: Pick<ConfigCascade, "stored">): string[] {
  return [...new Set(stored.flatMap(({ scopeId }) => scopeId ?? []))];
}

/** What holds for one instance: the strongest of its own values and those of all. */
export function holdsFor({ stored, defaultValue }: Pick<ConfigCascade, "stored" | "defaultValue">, scopeId: string) {
  const order = ConfigSourceSchema.options;
  const [found] = stored
    .filter((one) => one.scopeId === null || one.scopeId === scopeId)
    .toSorted((a, b) => order.indexOf(a.source) - order.indexOf(b.source));
  return found ?? { id: null, source: "default" as const, scopeId: null, value: defaultValue };
}

/** Whether a value of this level is the installation's, rather than the tenant's. */
export function isOfPlatform(source: ConfigSource): boolean {
  return source.startsWith("platform");
}
