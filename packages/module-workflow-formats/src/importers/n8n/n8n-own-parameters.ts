import type { Json, JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { isSecretLabel, withoutCredentials } from "../../importing/credentials.ts";
import { js } from "./apps/app-values.ts";

/** A setting of a node that an expression reads: `$node["Set"].parameter["a"][0]`, `$('Set').params.a`. */
const READ =
  /\$(?:node\.([A-Za-z_]\w*)|node\[(?:"([^"\\]+)"|'([^'\\]+)')\]|\((?:"([^"\\]+)"|'([^'\\]+)')\))\.(parameter|params)((?:\??\.[A-Za-z_$][\w$]*|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])+)/g;
const STEP = /\??\.([A-Za-z_$][\w$]*)|\[(?:"([^"\\]*)"|'([^'\\]*)'|(\d+))\]/g;
/** Names of settings that hold what signs in. */
const SIGNS_IN = /auth|header|credential|password|secret|token|api[-_]?key/i;

interface Settings {
  name: string;
  parameters?: JsonObject | undefined;
}

/** Nodes with the settings of other nodes written out where their expressions read them. Settings that are computed, or may be secret, stay as they are read. */
export function withOwnParameters<N extends Settings>(nodes: readonly N[]): N[] {
  const byName = new Map(nodes.map(({ name, parameters = {} }) => [name, parameters]));
  const fill = (value: Json, isCode: boolean): Json => {
    if (Array.isArray(value)) return value.map((one) => fill(one, isCode));
    if (isObject(value)) {
      const result: JsonObject = {};
      for (const [key, child] of Object.entries(value))
        setOwn(result, key, fill(child, isCode || key === "jsCode" || key === "functionCode"));
      return result;
    }
    return typeof value === "string" && (isCode || value.startsWith("=")) ? filled(value, byName) : value;
  };
  // cast: an object stays one
  return nodes.map((node) =>
    node.parameters === undefined ? node : { ...node, parameters: fill(node.parameters, false) as JsonObject },
  );
}

function filled(text: string, byName: ReadonlyMap<string, JsonObject>): string {
  return text.replace(READ, (whole, ...groups: (string | undefined)[]) => {
    const name = groups.slice(0, 5).find((group) => group !== undefined) ?? "";
    let value: Json | undefined = byName.get(name);
    if (value === undefined) return whole;
    let rest = groups[6] ?? "";
    for (const [step, ...keys] of rest.matchAll(STEP)) {
      const key = keys.find((one) => one !== undefined) ?? "";
      if (typeof value !== "object" || value === null) break;
      if (SIGNS_IN.test(key) || isSecretLabel(key)) return whole;
      value = Object.hasOwn(value, key) ? (value as Record<string, Json>)[key] : undefined; // cast: an object or a list
      if (value === undefined) return whole;
      rest = rest.slice(step.length);
    }
    if (typeof value === "object" || value === undefined) return whole;
    if (typeof value === "string" && (value.startsWith("=") || withoutCredentials(value) !== value)) return whole;
    return `(${js(value)})${rest}`;
  });
}
