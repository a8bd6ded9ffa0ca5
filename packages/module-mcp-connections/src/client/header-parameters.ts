import type { Json, JsonObject } from "@oven/contract";

const MARK = "x-mcp-header";
/** RFC 9110. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const PRIMITIVES: ReadonlySet<Json> = new Set(["string", "integer", "boolean"]);
/** Their values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/**
 * Why the parameters of a tool that are to be sent as HTTP headers (`x-mcp-header`, SEP-2243) cannot be. A client must leave such
 * a tool out.
 */
export function headerProblem(schema: JsonObject): string | undefined {
  const names = new Set<string>();
  const visit = (node: Json, path: string, isReached: boolean): string | undefined => {
    if (typeof node !== "object" || node === null) return undefined;
    if (Array.isArray(node)) return first(node.map((child) => visit(child, path, false)));
    if (MARK in node) {
      const name = node[MARK];
      if (!isReached || path === "") return `${path}: ${MARK} may only stand at a property that is always there`;
      if (typeof name !== "string" || !TOKEN.test(name)) return `${path}: ${MARK} is not the name of a header`;
      if (!PRIMITIVES.has(node.type ?? null)) return `${path}: only text, integers and booleans can be headers`;
      if (names.has(name.toLowerCase())) return `${path}: two parameters are the header ${name}`;
      names.add(name.toLowerCase());
    }
    const children = Object.entries(node).map(([key, child]) => {
      if (DATA.has(key)) return undefined;
      if (key !== "properties" || typeof child !== "object" || child === null || Array.isArray(child))
        return visit(child, path, false);
      return first(Object.entries(child).map(([name, property]) => visit(property, `${path}.${name}`, isReached)));
    });
    return first(children);
  };
  return visit(schema, "", true);
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}
