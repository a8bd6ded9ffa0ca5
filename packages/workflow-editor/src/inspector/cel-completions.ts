import { getOwn } from "@oven/contract";
import type { CelLanguage } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { toCelText, type Variable } from "./variables.ts";

/** Something that can stand where the cursor is. */
export interface CelCompletion {
  label: string;
  /** Its type, or how it is called. */
  detail: string;
  /** What it is for; empty: nothing is known. */
  info: string;
  /** What is written; `from` is where it begins. */
  apply: string;
  from: number;
  kind: "variable" | "property" | "function" | "method" | "keyword";
  /** Where the cursor goes, from the end of what was written: into the parentheses. */
  back: number;
}

const TYPE_OF: Readonly<Record<string, string>> = {
  array: "list",
  object: "map",
  boolean: "bool",
  integer: "int",
  number: "double",
  string: "string",
};
/** Receivers that are a name in the expression, not a type of value. */
const NAMESPACES: ReadonlySet<string> = new Set(["cel", "optional"]);
const STATIC: ReadonlySet<string> = new Set(["of", "none", "bind"]);
const KEYWORDS = ["true", "false", "null", "in"];
/** A path that ends at the cursor: names, `.`, and keys in brackets; what is called or computed is not one. */
const PATH =
  /(?:[A-Za-z_]\w*(?:\s*\[\s*\??\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+)\s*\])*\s*\.\s*\??\s*)*[A-Za-z_]?\w*$/;
/** A dot behind which a member stands, with the mark that it may be missing. */
const DOT = /\.\s*(\??)\s*$/;
const PART = /[A-Za-z_]\w*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d+/g;

/** What can stand at a place of a CEL text; whether the text is CEL is the server's to say. */
export function completeCel(
  text: string,
  at: number,
  variables: readonly Variable[],
  language: CelLanguage,
): CelCompletion[] {
  const before = text.slice(0, at);
  if (isInside(before)) return [];
  const typed = /\w*$/.exec(before)?.[0] ?? "";
  // A number, not a name.
  if (/^\d/.test(typed)) return [];
  const from = at - typed.length;
  const list = isMember(before, from) ? members(before, from, variables, language) : roots(variables, language);
  const sought = typed.toLowerCase();
  return list.flatMap(({ offset = 0, ...found }) =>
    found.label.toLowerCase().includes(sought) ? [{ ...found, from: from - offset }] : [],
  );
}

type Found = Omit<CelCompletion, "from"> & { offset?: number };

/** Whether the place is in a text in quotes, or in a remark. */
function isInside(before: string): boolean {
  const rest = before.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, "");
  return /["']|\/\/[^\n]*$/.test(rest);
}

function isMember(before: string, from: number): boolean {
  return DOT.test(before.slice(0, from));
}

function roots(variables: readonly Variable[], language: CelLanguage): Found[] {
  const described = new Map(language.variables.map(({ name, description }) => [name, description]));
  const found = variables.flatMap(({ keys, type, description, always }): Found[] => {
    const label = keys.length === 1 ? toCelText(keys) : null;
    if (label === null) return [];
    const info = description ?? described.get(label) ?? (always ? "" : t("Not on every way to here"));
    return [{ label, detail: type ?? "", info, apply: label, kind: "variable", back: 0 }];
  });
  // Only roots that have a value here are listed; `ctx` and the run always have one.
  const listed = new Set(variables.map(({ keys }) => keys[0]));
  const bare = language.variables
    .filter(({ name }) => name === "ctx" || (listed.has(name) && found.every(({ label }) => label !== name)))
    .map(({ name, description }) => plain(name, description, "variable"));
  const functions = language.functions.filter(({ receiver }) => receiver === null);
  const words = [...KEYWORDS, ...NAMESPACES].map((name) => plain(name, "", "keyword"));
  return [...found, ...bare, ...toCalls(functions, "function"), ...words];
}

function plain(label: string, info: string, kind: CelCompletion["kind"]): Found {
  return { label, detail: "", info, apply: label, kind, back: 0 };
}

function members(before: string, from: number, variables: readonly Variable[], language: CelLanguage): Found[] {
  const path = PATH.exec(before.slice(0, from))?.[0] ?? "";
  const [dot = "", mark] = DOT.exec(before.slice(0, from)) ?? [];
  // What stands before the path could be the end of a call: then nothing is known of it.
  const isWhole = path !== "" && !/[\w)\]}.]\s*$/.test(before.slice(0, from - path.length));
  const parts = isWhole ? [...path.matchAll(PART)].map(([part]) => part) : [];
  const [root] = parts;
  if (root !== undefined && parts.length === 1 && NAMESPACES.has(root))
    return toCalls(
      language.functions.filter(({ receiver, name }) => receiver === root && STATIC.has(name)),
      "method",
    );
  const keys = (root === "ctx" ? parts.slice(1) : parts).map(readKey);
  const inside = variables.flatMap(({ keys: own, type, description }): Found[] => {
    const label = own[keys.length];
    const isChild = own.length === keys.length + 1 && keys.every((key, index) => key === own[index]);
    // In `ctx` stands what does not stand beside it.
    if (!isWhole || !isChild || label === undefined) return [];
    if (root === "ctx" && keys.length === 0 && toCelText(own)?.startsWith("ctx") !== true) return [];
    const isName = /^[A-Za-z_]\w*$/.test(label);
    return [
      {
        label,
        detail: type ?? "",
        info: description ?? "",
        apply: isName ? label : `[${mark ?? ""}${JSON.stringify(label)}]`,
        kind: "property",
        back: 0,
        // In brackets it takes the place of the dot.
        ...(isName ? {} : { offset: dot.length }),
      },
    ];
  });
  // Behind `.?` nothing is called.
  if (mark === "?" || (root === "ctx" && keys.length === 0)) return inside;
  const schema = variables.find(
    ({ keys: own }) => own.length === keys.length && own.every((key, at) => key === keys[at]),
  );
  // What may be missing has the methods of `optional` only.
  const isOptional = path.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "").includes("?");
  const known = schema?.type == null ? null : (getOwn(TYPE_OF, String(schema.type)) ?? null);
  const type = isOptional ? "optional" : known;
  const methods = language.functions.filter(
    ({ receiver, name }) =>
      receiver !== null &&
      !(NAMESPACES.has(receiver) && STATIC.has(name)) &&
      (type === null || receiver === type || (type === "map" && COMPREHENSIONS.has(name))),
  );
  return [...inside, ...toCalls(methods, "method")];
}

/** These macros also accept a map and iterate over its keys. */
const COMPREHENSIONS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);

function readKey(part: string): string {
  if (part.startsWith('"')) return String(JSON.parse(part));
  return part.startsWith("'") ? part.slice(1, -1) : part;
}

/** One entry for each name, with all the forms it has. */
function toCalls(functions: CelLanguage["functions"], kind: "function" | "method"): Found[] {
  return [...Map.groupBy(functions, ({ name }) => name)].map(([name, forms]): Found => {
    const written = [...new Set(forms.map(({ form, returns }) => `${form}: ${returns}`))];
    const takesNone = forms.every(({ form }) => form.endsWith("()"));
    return {
      label: name,
      detail: written[0] ?? "",
      info: [
        forms[0]?.description ?? "",
        ...(written.length > 1 ? [t("Also {{names}}", { names: written.slice(1, 4).join(", ") })] : []),
      ].join("\n"),
      apply: `${name}()`,
      kind,
      back: takesNone ? 0 : 1,
    };
  });
}
