import { posix } from "node:path";

/** An import or re-export with its names; `import type` and names that are all types leave nothing behind at run time. */
const IMPORT = /^(?:import|export)\s+(type\s+)?([^;"']*?)\s*(?:from\s+)?"(\.[^"]+)"/gm;

/**
 * Files that import each other's values, directly or by way of others.
 * @param sources text by path, relative to the root, with `/`
 * @returns each cycle as its paths in order of the alphabet; imports of types only do not count
 */
export function findCycles(sources: ReadonlyMap<string, string>): string[][] {
  const imports = new Map([...sources].map(([path, source]) => [path, importsOf(path, source, sources)]));
  return components(imports).filter((component) => component.length > 1);
}

function importsOf(path: string, source: string, sources: ReadonlyMap<string, string>): string[] {
  return [...source.matchAll(IMPORT)].flatMap(([, type, names = "", target = ""]) => {
    const file = posix.normalize(posix.join(posix.dirname(path), target));
    return type !== undefined || isTypesOnly(names) || !sources.has(file) ? [] : [file];
  });
}

function isTypesOnly(names: string): boolean {
  const [, inner] = /^\{([^}]*)\}$/s.exec(names.trim()) ?? [];
  const parts = (inner ?? "").split(",").filter((part) => part.trim() !== "");
  return parts.length > 0 && parts.every((part) => part.trim().startsWith("type "));
}

/** Tarjan's strongly connected components. */
function components(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(node) === order.get(node)) found.push(stack.splice(stack.indexOf(node)).sort());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}
