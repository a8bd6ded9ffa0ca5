import type { Json } from "@oven/contract";
import type { Invoke } from "@oven/contract/workflow";
import { withoutSecrets } from "./literals.ts";
import { withoutReservedKeys } from "./reserved-keys.ts";

export interface Replaced {
  name: string;
  originalType: string;
  reason: string;
  original?: Json | undefined;
}

/**
 * A node that keeps a step's place, its name and what it was set to, without what looks like a secret.
 * @param product its title
 */
export function toPlaceholder(product: string, { name, originalType, reason, original }: Replaced): Invoke {
  const kept =
    original === undefined
      ? undefined
      : withoutSecrets(withoutReservedKeys(original), (text) => /^=?\s*\{\{.*\}\}\s*$/s.test(text)).value;
  return {
    src: "core.placeholder",
    input: {
      name: { $literal: name },
      product,
      originalType: { $literal: originalType },
      reason: { $literal: reason },
      ...(kept === undefined ? {} : { original: { $literal: kept } }),
    },
  };
}
