import { getOwn, type Json, type JsonObject } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { type Given, limitOf } from "./app-given.ts";
import {
  type App,
  type AppPlan,
  type AppRequest,
  listOf,
  listOfAll,
  ONE_PAGE,
  type PartNames,
  refuseMore,
} from "./app-steps.ts";
import { url } from "./app-values.ts";

/** A list of records that an API hands on page by page. */
interface Paged {
  /** The parameter of the query that says how many are wanted. */
  count?: string;
  /** How many one page has at most. */
  most: number;
  /** JavaScript for whether there are more; the answer is `answer`. */
  isMore: string;
  /** Whether n8n takes the first ones out of what it was given. */
  isCut?: boolean;
  /** How many are wanted where the node does not say. */
  limit?: number;
}

/**
 * One request, in the terms of its API. Settings are named in words: `name` must be set, `name?` is sent where it is set, `name!` where
 * it is set and not switched off, `name~` also where it is empty; `its.name=name` is sent under a name of the API, whose dots are objects
 * in objects; `group.name` stands in a group of settings.
 */
export interface Operation {
  method: AppRequest["method"];
  /** After the address of the app; `/:name` is a setting. */
  path?: string;
  /** All of the address, where a path cannot say it. */
  url?: string;
  /** Sent in the body, or in the query of what has no body. */
  fields?: string;
  /** Settings of groups, each where it is set. */
  more?: Readonly<Record<string, string>>;
  /** Groups whose settings are all sent, by their names. */
  all?: readonly string[];
  fixed?: JsonObject;
  query?: string;
  queryFixed?: JsonObject;
  headers?: JsonObject;
  /** The field of the body that has all of it. */
  wrap?: string;
  bodyType?: AppRequest["bodyType"];
  /** What of the answer is handed on, in JavaScript; the answer is `$json`. */
  take?: string;
  /** A list that is handed on, in JavaScript; the answer is `answer`. */
  list?: string;
  /** Whether the answer is a list itself. */
  isList?: boolean;
  paged?: Paged;
  /** A field of an answer that says that there was no success, also where its status says so. */
  failsBy?: string;
  /** Settings that change nothing here. */
  skip?: string;
  notes?: readonly string[];
}

export type PlainOperation = Operation | ((given: Given, names: PartNames) => Operation | AppPlan);

interface PlainApp extends Omit<App, "plan"> {
  base: string;
  /** What a node does that does not say it; a node without resources has the resource "". */
  resource?: string;
  operation: string | Readonly<Record<string, string>>;
  operations: Readonly<Record<string, PlainOperation>>;
  /** Checks what all its operations have in common. */
  check?(given: Given): void;
}

/** An app whose operations are one request each. */
export function plainApp({ base, resource: usual = "", operation: first, operations, check, ...app }: PlainApp): App {
  return {
    ...app,
    plan: (given, names) => {
      check?.(given);
      const resource = String(given.or("resource", usual));
      const operation = String(given.or("operation", (typeof first === "string" ? first : first[resource]) ?? ""));
      const key = `${resource}:${operation}`;
      const found = getOwn(operations, key);
      if (found === undefined) throw new NoEquivalent(`there is no node here that does ${key}`);
      const made = typeof found === "function" ? found(given, names) : found;
      return "steps" in made ? made : planOf(made, base, given);
    },
  };
}

/** What is handed on in place of the answer. */
export const SUCCESS = "{ success: true }";

function planOf(operation: Operation, base: string, given: Given): AppPlan {
  const { method, path = "", headers, wrap, bodyType, paged, notes = [] } = operation;
  if (operation.skip !== undefined) given.skip(...operation.skip.split(" "));
  const hasBody = method !== "GET" && method !== "DELETE";
  const sent: JsonObject = structuredClone(operation.fixed ?? {});
  for (const word of wordsOf(operation.fields)) send(word, given, sent);
  for (const [group, words] of Object.entries(operation.more ?? {}))
    for (const word of wordsOf(words)) send(`${/[?!~]$/.test(word) ? word : `${word}?`}`, given.group(group), sent);
  for (const group of operation.all ?? [])
    for (const [name, value] of Object.entries(given.group(group).all())) setOwn(sent, name, value);
  const query: JsonObject = { ...(operation.queryFixed ?? {}), ...(hasBody ? {} : sent) };
  for (const word of wordsOf(operation.query)) send(word, given, query);
  const count = paged === undefined ? undefined : limitOf(given, { limit: paged.limit ?? 50 });
  if (paged?.count !== undefined) query[paged.count] = count ?? paged.most;
  const body = wrap === undefined ? sent : { [wrap]: sent };
  const request: AppRequest = {
    ...{ method, url: operation.url ?? addressOf(base, path, given) },
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(headers === undefined ? {} : { headers }),
    ...(hasBody && Object.keys(sent).length > 0 ? { body } : {}),
    ...(bodyType === undefined ? {} : { bodyType }),
  };
  const said = paged !== undefined && count === undefined ? [...notes, ONE_PAGE(paged.most)] : notes;
  const failed = operation.failsBy === undefined ? [] : [failBy(`.${operation.failsBy}`)];
  if (operation.list !== undefined) {
    const before = paged !== undefined && count === undefined ? [refuseMore(paged.isMore, paged.most)] : [];
    const isCut = paged?.isCut === true && count !== undefined;
    const list = isCut ? `(${operation.list}).slice(0, ${count})` : operation.list;
    return {
      steps: [
        { what: "request", ...request },
        (operation.isList === true ? listOfAll : listOf)(
          list,
          ...failed.map((line) => line.replaceAll("$json", "answer")),
          ...before,
        ),
      ],
      notes: said,
    };
  }
  if (operation.take === undefined && failed.length === 0) return { steps: [request], notes: said };
  const code = [...failed, `return ${operation.take ?? "$json"};`].join("\n");
  return { steps: [{ what: "request", ...request }, { code }], notes: said };
}

const failBy = (field: string): string =>
  `if ($json${field} !== undefined) throw new Error("The answer says that there was no success: " + JSON.stringify($json${field}));`;

const wordsOf = (words: string | undefined): string[] => words?.split(/\s+/).filter((word) => word !== "") ?? [];

/** A setting, whether it is a text or a choice out of a list. */
export function settingOf(given: Given, name: string): Json {
  const value = given.get(name);
  return isObject(value) && Object.hasOwn(value, "mode") ? given.locator(name) : given.need(name);
}

/** Puts what a word names into what is sent. @throws NoEquivalent */
function send(word: string, given: Given, sent: JsonObject): void {
  const [, kind = ""] = /([?!~]?)$/.exec(word) ?? [];
  const bare = kind === "" ? word : word.slice(0, -1);
  const at = bare.indexOf("=");
  const source = at < 0 ? bare : bare.slice(at + 1);
  const target = at < 0 ? (source.split(".").at(-1) ?? source) : bare.slice(0, at);
  const dot = source.indexOf(".");
  const [from, name] = dot < 0 ? [given, source] : [given.group(source.slice(0, dot)), source.slice(dot + 1)];
  const value = from.get(name);
  if (value === undefined && (kind === "?" || kind === "!")) return;
  if (value === false && kind === "!") return;
  put(sent, target.split("."), value === undefined && kind === "~" ? "" : settingOf(from, name));
}

function put(sent: JsonObject, [first = "", ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    setOwn(sent, first, value);
    return;
  }
  const inner = getOwn(sent, first);
  const next = isObject(inner) ? inner : {};
  setOwn(sent, first, next);
  put(next, rest, value);
}

/** The address with the settings in it that the path names. */
function addressOf(base: string, path: string, given: Given): string {
  const pieces = path.split(/(?<=\/):(\w+)/);
  const texts = pieces.filter((_, index) => index % 2 === 0);
  const values = pieces.filter((_, index) => index % 2 === 1).map((name) => settingOf(given, name));
  const all = [`${base}${texts[0] ?? ""}`, ...texts.slice(1)];
  return url(Object.assign(all, { raw: all }), ...values);
}
