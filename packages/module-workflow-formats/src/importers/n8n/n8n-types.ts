import type { Json } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";

/** How a field of a Set node turns its value into its type. */
export type Conversion =
  /** Fails where the value cannot be converted. */
  | "string"
  | "number"
  | "boolean"
  | "array"
  | "object"
  /** Texts that are numbers become numbers, anything else stays. */
  | "numberWhereItFits"
  /** Whether a value counts as true in JavaScript. */
  | "truthy";

const NUMBER_TEXT = "^([-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?)?$";
const parsed = (type: string) =>
  `cel.bind(w, type(v) == string ? dyn(bytes(v).json()) : v, w == null || type(w) == ${type} ? w : dyn(int("not a ${type}")))`;

/** In CEL, of the value `v`. Null stays null, as in n8n. */
const EXPRESSIONS: Record<Exclude<Conversion, "string">, string> = {
  number:
    'v == null ? dyn(null) : type(v) == bool ? dyn(v ? 1.0 : 0.0) : type(v) == string ? dyn(v.trim() == "" ? 0.0 : double(v.trim())) : double(v)',
  boolean:
    'v == null || type(v) == bool ? v : type(v) == string && v.lowerAscii() == "true" ? dyn(true) : type(v) == string && v.lowerAscii() == "false" ? dyn(false) : double(v) == 1.0 ? dyn(true) : double(v) == 0.0 ? dyn(false) : bool(string(v))',
  array: parsed("list"),
  object: parsed("map"),
  numberWhereItFits: `type(v) == string && v.trim().matches("${NUMBER_TEXT}") ? dyn(v.trim() == "" ? 0.0 : double(v.trim())) : v`,
  truthy: 'v != null && v != false && v != "" && v != 0.0',
};

/** A path of the run, converted where it is read. @throws NoEquivalent */
export function convertPath(path: string, conversion: Conversion): Json {
  if (path.endsWith(" | json")) {
    if (conversion === "string") return path;
    throw new NoEquivalent("JSON as text is turned into another type");
  }
  if (conversion === "string") return `{{ ${path} }}`;
  return { $cel: `cel.bind(v, dyn(${toCel(path)}), ${EXPRESSIONS[conversion]})` };
}

/** A value that is written out, converted as n8n does. @throws NoEquivalent where the step of n8n would fail */
export function convertConstant(value: Json, conversion: Conversion): Json {
  const fail = (): never => {
    throw new NoEquivalent(`${JSON.stringify(value)} cannot be converted to its type, ${conversion}`);
  };
  if (conversion === "truthy") return Boolean(value);
  if (value === null) return null;
  switch (conversion) {
    case "string":
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    case "number":
    case "numberWhereItFits": {
      if (typeof value === "number") return value;
      const isText = typeof value === "string";
      const number = isText || (typeof value === "boolean" && conversion === "number") ? Number(value) : Number.NaN;
      if (Number.isFinite(number)) return number;
      return conversion === "numberWhereItFits" ? value : fail();
    }
    case "boolean": {
      if (typeof value === "boolean") return value;
      const text = String(value).toLowerCase();
      if (text === "true" || text === "false") return text === "true";
      const number = text.trim() === "" || typeof value === "object" ? Number.NaN : Number(text);
      return number === 1 || (number === 0 ? false : fail());
    }
    case "array":
      return Array.isArray(value) ? value : fail();
    case "object":
      return isObject(value) ? value : fail();
  }
}

const STEP = /\.([A-Za-z_][\w-]*)|\[(\d+|"(?:[^"\\]|\\.)*")\]/gy;
const BARE = /^[A-Za-z_]\w*$/;
/** Names of the run that have a variable of their own in CEL. */
const VARIABLES = new Set(["trigger", "execution", "item", "index"]);
const RESERVED = new Set(
  "as break const continue else false for function if import in let loop null package namespace return true var void while".split(
    " ",
  ),
);

/** A path without pipes in CEL. */
function toCel(path: string): string {
  const [first = "", ...rest] = [...path.slice(1).matchAll(STEP)].map(([, name, inBrackets]) =>
    name === undefined
      ? `[${inBrackets ?? ""}]`
      : BARE.test(name) && !RESERVED.has(name)
        ? `.${name}`
        : `[${JSON.stringify(name)}]`,
  );
  const root = VARIABLES.has(first.slice(1)) ? first.slice(1) : `ctx${first}`;
  return [root, ...rest].join("");
}
