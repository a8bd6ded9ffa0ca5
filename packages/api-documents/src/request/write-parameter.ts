import { isObject, type Json } from "@oven/contract";
import type { ApiParameter } from "@oven/contract/api";
import { invalid } from "./invalid.ts";

/** RFC 3986, 3.4: what may stand in a query without an escape; `&`, `#`, `+` and what begins a value would end the parameter. */
const RESERVED = /[^A-Za-z0-9\-._~:/?@!$'()*,;=[\]]/gu;
/** Spaces, and what Latin 1 can print. */
const HEADER_TEXT = /^[ -~\u00a0-\u00ff]*$/;

const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
const encodeReserved = (text: string): string =>
  text.toWellFormed().replace(RESERVED, (character) => encodeURIComponent(character));

/**
 * A value in the path, as its style writes it.
 * @throws OvenError INPUT_INVALID
 */
export function toPathPart(parameter: ApiParameter, value: Json | undefined): string {
  const path = pathOf(parameter);
  if (value === undefined || value === null || value === "")
    throw invalid(path, `The path needs a value for ${parameter.name}`, "Give one that is not empty.");
  const { style, explode, name } = parameter;
  const part = writeList(value, parameter, encode);
  if (part === "") throw invalid(path, `The path needs a value for ${name}`, "Give one that is not empty.");
  if (style === "label") return `.${explode ? writeList(value, parameter, encode, ".") : part}`;
  if (style !== "matrix") return part;
  const matrixName = encode(name);
  if (!explode || typeof value !== "object" || parameter.json) return `;${matrixName}=${part}`;
  if (Array.isArray(value)) return value.map((each) => `;${matrixName}=${encode(textOf(each, path))}`).join("");
  return `;${writeList(value, parameter, encode, ";")}`;
}

/**
 * A value in the query as `name=value`, several times or not at all.
 * @throws OvenError INPUT_INVALID
 */
export function toQueryParts(parameter: ApiParameter, value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  const { name, style, explode, allowReserved, json } = parameter;
  const write = allowReserved ? encodeReserved : encode;
  const key = encode(name);
  const path = pathOf(parameter);
  if (json) return [`${key}=${write(JSON.stringify(value))}`];
  if (typeof value !== "object") return [`${key}=${write(textOf(value, path))}`];
  if (style === "deepObject") return deepParts(key, value, write, path);
  if (Array.isArray(value)) {
    if (value.length === 0) return [];
    const texts = value.map((each) => write(textOf(each, path)));
    return explode ? texts.map((text) => `${key}=${text}`) : [`${key}=${texts.join(separatorOf(style))}`];
  }
  const pairs = pairsOf(value, path);
  if (pairs.length === 0) return [];
  if (explode) return pairs.map(([inner, text]) => `${encode(inner)}=${write(text)}`);
  return [`${key}=${pairs.flatMap(([inner, text]) => [encode(inner), write(text)]).join(separatorOf(style))}`];
}

/**
 * A value as a header. Undefined: it is not sent.
 * @throws OvenError INPUT_INVALID
 */
export function toHeaderValue(parameter: ApiParameter, value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = writeList(value, parameter, (each) => each);
  // Beyond Latin 1 there is no way to write a header that all understand.
  if (!HEADER_TEXT.test(text))
    throw invalid(
      pathOf(parameter),
      `The header ${parameter.name} cannot hold control characters, line ends, or characters beyond Latin 1`,
      "Give a text without them.",
    );
  return text.trim();
}

const pathOf = ({ property }: ApiParameter): string => `$.${property}`;

function separatorOf(style: ApiParameter["style"]): string {
  if (style === "spaceDelimited") return "%20";
  return style === "pipeDelimited" ? "%7C" : ",";
}

/** A text, or a list or an object as `simple` writes it. */
function writeList(value: Json, parameter: ApiParameter, write: (text: string) => string, separator = ","): string {
  const path = pathOf(parameter);
  if (parameter.json) return write(JSON.stringify(value));
  if (Array.isArray(value)) return value.map((each) => write(textOf(each, path))).join(separator);
  if (!isObject(value)) return write(textOf(value, path));
  const pairs = pairsOf(value, path).map(([name, text]): [string, string] => [write(name), write(text)]);
  return parameter.explode
    ? pairs.map(([name, text]) => `${name}=${text}`).join(separator)
    : pairs.flat().join(separator);
}

function pairsOf(value: { [name: string]: Json }, path: string): [name: string, text: string][] {
  return Object.entries(value).flatMap(([name, each]): [string, string][] =>
    each === null ? [] : [[name, textOf(each, path)]],
  );
}

function deepParts(key: string, value: Json, write: (text: string) => string, path: string): string[] {
  if (value === null) return [];
  if (typeof value !== "object") return [`${key}=${write(textOf(value, path))}`];
  return Object.entries(value).flatMap(([name, each]) => deepParts(`${key}[${encode(name)}]`, each, write, path));
}

/**
 * One value as text. A list or an object inside of a list is written as JSON: no style says how else.
 * @param path of the parameter in the input
 */
function textOf(value: Json, path: string): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  if (typeof value === "object") return JSON.stringify(value);
  if (typeof value === "number" && !Number.isFinite(value))
    throw invalid(path, "The number is not finite", "Give another one.");
  return String(value);
}
