import { isExactNumber, type Json, OvenError } from "@oven/contract";
import { setOwn } from "@oven/engine";
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { readSource } from "../shared/read-source.ts";
import { type Place, placesIn, type ReadSource } from "../shared/source-place.ts";

const MAX_DEPTH = 100;
/** What repeated parts of a YAML document may come to, written out. */
const MAX_VALUES = 200_000;

/** A document in JSON or YAML. @throws OvenError SOURCE_UNREADABLE with line and column */
export function readDocument(text: string): ReadSource {
  const first = /^\uFEFF?\s*(\S)/.exec(text)?.[1];
  return first === "{" || first === "[" ? readSource(text.replace(/^\uFEFF/, "")) : readYaml(text);
}

function readYaml(text: string): ReadSource {
  refuseDeepLines(text);
  const lines = new LineCounter();
  const document = parse(text, lines);
  const [error] = document.errors;
  const fail = (offset: number, message: string, fix: string): OvenError => {
    const { line, col } = lines.linePos(offset);
    return new OvenError("SOURCE_UNREADABLE", `Line ${line}, column ${col}: ${message}`, {
      status: 422,
      fix,
      details: { line, column: col },
    });
  };
  if (error !== undefined) throw fail(error.pos[0], error.message, "Export the document again, or correct it there.");
  const offsets = new Map<string, number>();
  const meanings = new Map<Node, Node>();
  let count = 0;
  const take = (node: unknown, path: string, depth: number, from: number): Json => {
    const offset = hasRange(node) ? node.range[0] : from;
    if (!offsets.has(path)) offsets.set(path, offset);
    count += 1;
    if (depth > MAX_DEPTH) throw fail(offset, `It is nested over ${MAX_DEPTH} deep`, "Make it flatter.");
    if (count > MAX_VALUES)
      throw fail(offset, `It has over ${MAX_VALUES} values, aliases written out`, "Make it smaller.");
    if (isAlias(node)) {
      const meant = meanings.get(node) ?? node.resolve(document);
      if (meant === undefined) throw fail(offset, `There is no anchor ${node.source}`, "Write the value itself.");
      meanings.set(node, meant);
      return take(meant, path, depth + 1, offset);
    }
    if (isSeq(node)) return node.items.map((item, index) => take(item, `${path}[${index}]`, depth + 1, offset));
    if (isMap(node)) {
      const object: { [key: string]: Json } = {};
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : undefined;
        if (name === undefined)
          throw fail(hasRange(key) ? key.range[0] : offset, "A key here is no text", "Write it as text.");
        const at = hasRange(key) ? key.range[0] : offset;
        setOwn(object, name, take(value, `${path}.${name}`, depth + 1, at));
      }
      return object;
    }
    const value = isScalar(node) ? node.value : null;
    if (isScalar(node) && typeof value === "number" && !isExact(value, node.source))
      throw fail(offset, "This has more digits than a number can have", "Put it in quotes.");
    if (typeof value === "string" || typeof value === "boolean" || value === null || value === undefined)
      return value ?? null;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw fail(offset, "This is no text, number, true, false or null", "Put it in quotes.");
  };
  const value = take(document.contents, "$", 0, 0);
  return { value, placeOf: placesIn(text, offsets) };
}

function parse(text: string, lineCounter: LineCounter) {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, schema: "core", merge: false });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw tooDeep({ line: 1, column: 1 });
  }
}

function tooDeep({ line, column }: Place): OvenError {
  return new OvenError("SOURCE_UNREADABLE", `Line ${line}, column ${column}: It is nested over ${MAX_DEPTH} deep`, {
    status: 422,
    fix: "Make it flatter.",
    details: { line, column },
  });
}

/** Brackets and dashes that nest within a line: the parser calls itself for each, and would run out of stack. */
function refuseDeepLines(text: string): void {
  const deep = /^(?: *[-?] ){101}|(?:[[{]\s*){101}/m.exec(text);
  if (deep === null) return;
  throw tooDeep(placesIn(text, new Map([["$", deep.index]]))("$"));
}

/** YAML also writes `+1`, `.5`, `1.` and `0x1F`. */
function isExact(value: number, source: string | undefined): boolean {
  if (source === undefined || !/\d/.test(source)) return true;
  const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(source);
  if (!decimal) return Number.isSafeInteger(value);
  return isExactNumber(
    source
      .replace(/^\+/, "")
      .replace(/^(-?)\./, "$10.")
      .replace(/\.(?=$|[eE])/, ""),
  );
}

function hasRange(node: unknown): node is Node & { range: [number, number, number] } {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}
