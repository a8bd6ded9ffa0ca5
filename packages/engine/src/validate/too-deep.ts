import type { PathPart } from "./problems.ts";

/** Levels of objects and lists in a definition: what walks through it recurses. */
export const MAX_JSON_DEPTH = 500;

/** The path of a place that is nested too deeply. Iterative: what it guards is everything behind it that is not. */
export function tooDeepPlace(json: unknown): PathPart[] | undefined {
  let level: { value: object; path: PathPart[] }[] = isContainer(json) ? [{ value: json, path: [] }] : [];
  for (let depth = 1; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth > MAX_JSON_DEPTH) return first?.path;
    level = level.flatMap(({ value, path }) =>
      Object.entries(value).flatMap(([key, child]) => {
        if (!isContainer(child)) return [];
        // Only the first steps are shown; keeping them all would cost as much as the nesting itself.
        const at = path.length < 4 ? [...path, Array.isArray(value) ? Number(key) : key] : path;
        return [{ value: child, path: at }];
      }),
    );
  }
  return undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
