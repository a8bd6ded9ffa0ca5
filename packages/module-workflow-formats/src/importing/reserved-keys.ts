import type { Json } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "./no-equivalent.ts";

/** The one key that no definition may have anywhere: JavaScript gives it a meaning. */
export const RESERVED_KEY = "__proto__";

/** @throws NoEquivalent where a value has a key that no definition may have */
export function refuseReservedKeys(value: unknown): void {
  if (JSON.stringify(value ?? null).includes(`"${RESERVED_KEY}":`))
    throw new NoEquivalent(`a field is called ${RESERVED_KEY}, which cannot be used here`);
}

/** The same without such keys. */
export function withoutReservedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutReservedKeys);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => key !== RESERVED_KEY);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutReservedKeys(inner)]));
}
