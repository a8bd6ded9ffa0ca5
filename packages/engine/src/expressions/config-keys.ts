import type { Json } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import { ExpressionSyntaxError } from "./expression-error.ts";
import { isObject } from "./json-access.ts";
import { type Path, parsePath } from "./path.ts";
import { pathsIn } from "./paths-in.ts";

/** Parts of a definition whose texts are data, not expressions. */
const DATA: ReadonlySet<string> = new Set([
  "$literal",
  "$cel",
  "meta",
  "payloadSchema",
  "outputSchema",
  "context",
  "label",
  "description",
]);

/**
 * The configuration keys that a definition reads as `$config.KEY`, each once, in the order of the definition. Their values
 * must be known before planning, which reads nothing from outside.
 */
export function configKeysOf(definition: Definition): string[] {
  const keys = new Set<string>();
  const open: Json[] = [definition as unknown as Json]; // cast: a definition is JSON
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") for (const key of keysIn(value)) keys.add(key);
    else if (Array.isArray(value)) open.push(...value.toReversed());
    else if (isObject(value)) {
      const children = Object.entries(value).filter(([key]) => !DATA.has(key) && !key.startsWith("x-"));
      open.push(...children.map(([, child]) => child).toReversed());
    }
  }
  return [...keys];
}

function keysIn(text: string): string[] {
  return pathsIn(text).flatMap((path) => {
    if (!path.includes("$config")) return [];
    try {
      return keysOfPath(parsePath(path));
    } catch (cause) {
      if (cause instanceof ExpressionSyntaxError) return []; // reported where the value is compiled
      throw cause;
    }
  });
}

/** The key of a path, and those of its defaults. */
function keysOfPath({ config, segments, pipes }: Path): string[] {
  const inDefaults = pipes.flatMap((pipe) => ("path" in pipe ? keysOfPath(pipe.path) : []));
  return config ? [String(segments[1]), ...inDefaults] : inDefaults;
}
