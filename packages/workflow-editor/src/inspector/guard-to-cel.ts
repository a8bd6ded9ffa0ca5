import type { Json } from "@oven/contract";
import type { Guard } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { toCelText } from "./variables.ts";

const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", ">", "<", ">=", "<="]);
const PATH = /^\$((?:\.[A-Za-z_]\w*|\["(?:[^"\\]|\\.)*"\])+)$/;
const KEY = /\.([A-Za-z_]\w*)|\[("(?:[^"\\]|\\.)*")\]/g;

/** A condition as CEL that means the same; what CEL cannot say the same way is kept as a remark, to be written anew. */
export function guardToCel(guard: Guard): string {
  return toCel(guard) ?? `// ${JSON.stringify(guard)}`;
}

function toCel(guard: Guard): string | null {
  switch (guard.type) {
    case "cel":
      return guard.params.expression;
    case "all":
    case "any": {
      const parts = guard.guards.map(toCel);
      if (parts.some((part) => part === null)) return null;
      return parts
        .map((part) => (parts.length === 1 ? part : `(${part})`))
        .join(guard.type === "all" ? " && " : " || ");
    }
    // What reads something missing is false, so its denial is true; in CEL neither is.
    case "not":
      return null;
    case "condition":
      return guard.loose === true ? null : comparisonToCel(guard.params);
  }
}

function comparisonToCel({ key, operator, value }: Extract<Guard, { type: "condition" }>["params"]): string | null {
  const keys = keysOf(key);
  const left = keys === null ? null : toCelText(keys);
  if (keys === null || left === null) return null;
  // Only of what stands in something it can be asked whether it is there.
  if (operator === "exists")
    return left.includes(".") && !left.endsWith("]") && keys.length <= 2 ? `has(${left})` : null;
  const right = value === undefined ? null : valueToCel(value);
  if (right === null) return null;
  if (COMPARISONS.has(operator)) return `${left} ${operator} ${right}`;
  if (operator === "in") return Array.isArray(value) ? t("{{left}} in {{right}}", { left, right }) : null;
  return operator === "matches" && typeof value === "string" ? `${left}.matches(${right})` : null;
}

function keysOf(path: string): string[] | null {
  const inner = PATH.exec(path)?.[1];
  if (inner === undefined) return null;
  return [...inner.matchAll(KEY)].map(([, name, quoted]) => name ?? String(JSON.parse(quoted ?? '""')));
}

/** Null: something that is computed, but not a path. */
function valueToCel(value: Json): string | null {
  if (Array.isArray(value)) {
    const items = value.map(valueToCel);
    return items.some((item) => item === null) ? null : `[${items.join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) return null;
  if (typeof value !== "string") return JSON.stringify(value);
  if (value.includes("{{")) return null;
  if (!value.startsWith("$")) return JSON.stringify(value);
  const keys = keysOf(value);
  return keys === null ? null : toCelText(keys);
}
