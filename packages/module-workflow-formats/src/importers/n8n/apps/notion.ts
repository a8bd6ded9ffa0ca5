import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { type Given, limitOf } from "./app-given.ts";
import {
  type App,
  type AppPlan,
  type AppRequest,
  listOf,
  ONE_PAGE,
  type PartNames,
  partJson,
  refuseMore,
} from "./app-steps.ts";
import { computed, isExpression, js, url } from "./app-values.ts";
import { SIMPLE_BLOCK, SIMPLE_PAGE } from "./notion-code.ts";
import { filterOf, propertiesOf } from "./notion-values.ts";

const API = "https://api.notion.com/v1";
const PAGE = 100;
/** An id in an address: that of the page, where it shows a page of a database. */
const ID = /(?:[?&]p=|^(?!.*[?&]p=).*?)([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

export const NOTION: App = {
  title: "Notion",
  credential: "notionApi",
  secret: "notion",
  plan: (given, names) => {
    const resource = String(given.or("resource", "page"));
    const operation = String(given.or("operation", DEFAULTS[resource] ?? ""));
    const known = OPERATIONS[`${resource}:${operation}`];
    if (known === undefined) throw new NoEquivalent(`there is no node here that does ${resource}: ${operation}`);
    const { steps, ...plan } = known(given, names);
    // The version of the API that each version of the node asks for.
    const headers = { "Notion-Version": given.version < 2 ? "2021-05-13" : "2021-08-16" };
    return { ...plan, steps: steps.map((step) => ("method" in step ? { ...step, headers } : step)) };
  },
};

const DEFAULTS: Readonly<Record<string, string>> = {
  page: "create",
  databasePage: "create",
  database: "get",
  block: "append",
};

const OPERATIONS: Readonly<Record<string, (given: Given, names: PartNames) => AppPlan>> = {
  "databasePage:getAll": getAll,
  "databasePage:create": create,
  "databasePage:update": (given) =>
    one(given, {
      method: "PATCH",
      url: url`https://api.notion.com/v1/pages/${idOf(given, "pageId", "page")}`,
      body: { properties: properties(given) },
    }),
  "databasePage:get": (given) =>
    one(given, { method: "GET", url: url`https://api.notion.com/v1/pages/${idOf(given, "pageId", "page")}` }),
  "page:archive": (given) =>
    one(given, {
      method: "PATCH",
      url: url`https://api.notion.com/v1/pages/${idOf(given, "pageId", "page")}`,
      body: { archived: true },
    }),
  "database:get": (given) =>
    one(given, {
      method: "GET",
      url: url`https://api.notion.com/v1/databases/${idOf(given, "databaseId", "database")}`,
    }),
  "block:getAll": blocks,
};

/** An id, also out of an address. @throws NoEquivalent */
function idOf(given: Given, name: string, what: string): Json {
  const isUrl = given.modeOf(name) === "url";
  const value = given.locator(name, { what, pattern: ID });
  if (isUrl || (!isExpression(value) && !String(value).startsWith("http"))) return value;
  if (isExpression(value))
    return given.version < 2.2 ? computed(`((id) => (${ID}.exec(id) ?? [])[1] ?? id)(String(${js(value)}))`) : value;
  const id = ID.exec(String(value))?.[1];
  if (id === undefined) throw new NoEquivalent(`the address of its ${what} has no id`);
  return id;
}

const simplify = (given: Given): string =>
  `${SIMPLE_PAGE}\nconst simple = (page) => simplePage(page, ${given.version < 2 ? 1 : 2});`;

/** One page or database, simplified where that is not switched off. */
function one(given: Given, request: AppRequest): AppPlan {
  refuseOptions(given);
  if (!given.flag("simple", true)) return { steps: [request] };
  return { steps: [{ ...request, what: "request" }, { code: `${simplify(given)}\nreturn simple($json);` }] };
}

function refuseOptions(given: Given): Given {
  const options = given.group("options");
  if (options.or("downloadFiles", false) !== false) throw new NoEquivalent("it downloads files");
  return options;
}

function properties(given: Given): Json {
  return propertiesOf(given.list("propertiesUi", "propertyValues"), given.version);
}

function create(given: Given): AppPlan {
  const options = refuseOptions(given);
  if (given.list("blockUi", "blockValues").length > 0) throw new NoEquivalent("it writes blocks into the page");
  const body: JsonObject = { parent: { database_id: idOf(given, "databaseId", "database") } };
  const title = given.version < 2 ? undefined : given.get("title");
  const values = properties(given);
  const titled = { title: { title: [{ text: { content: title ?? "" } }] } };
  body.properties =
    title === undefined
      ? values
      : isExpression(values)
        ? computed(`({ ...${js(titled)}, ...${js(values)} })`)
        : { ...titled, ...(values as JsonObject) }; // cast: no expression
  const icon = options.get("icon");
  const kind = options.choice("iconType", "emoji", ["emoji", "file"]);
  if (icon !== undefined)
    body.icon = kind === "emoji" ? { type: "emoji", emoji: icon } : { type: "external", external: { url: icon } };
  return one(given, { method: "POST", url: `${API}/pages`, body });
}

function getAll(given: Given): AppPlan {
  const options = refuseOptions(given);
  if (given.version < 2 && options.get("filter") !== undefined)
    throw new NoEquivalent("its filter is that of version 1");
  const body: JsonObject = {};
  const filter = filterOf(given);
  if (filter !== undefined) body.filter = filter;
  const sorts = options.list("sort", "sortValue").map((sort) => ({
    [sort.or("timestamp", false) === true ? "timestamp" : "property"]: String(sort.need("key")).split("|")[0] ?? "",
    direction: sort.or("direction", "ascending"),
  }));
  options.group("sort");
  if (sorts.length > 0) body.sorts = sorts;
  const count = limitOf(given);
  const isPaged = count === undefined || count > PAGE;
  const source = given.flag("simple", true) ? "answer.results.map(simple)" : "answer.results";
  const list = listOf(source, ...(isPaged ? [refuseMore("answer.has_more === true", PAGE)] : []));
  return {
    steps: [
      {
        what: "request",
        method: "POST",
        url: url`https://api.notion.com/v1/databases/${idOf(given, "databaseId", "database")}/query`,
        body: { ...body, page_size: Math.min(PAGE, count ?? PAGE) },
      },
      { ...list, code: `${simplify(given)}\n${list.code}` },
    ],
    notes: isPaged ? [ONE_PAGE(PAGE)] : [],
  };
}

function blocks(given: Given, names: PartNames): AppPlan {
  if (given.flag("fetchNestedBlocks")) throw new NoEquivalent("it reads what is within blocks, too");
  const isSimple = given.version >= 2.2 && given.flag("simplifyOutput", true);
  const id = idOf(given, "blockId", "block");
  const count = limitOf(given);
  const isPaged = count === undefined || count > PAGE;
  const more = isPaged ? [refuseMore("answer.has_more === true", PAGE)] : [];
  const query = { page_size: Math.min(PAGE, count ?? PAGE) };
  const notes = isPaged ? [ONE_PAGE(PAGE)] : [];
  if (!isSimple) {
    const at = url`https://api.notion.com/v1/blocks/${id}/children`;
    return { steps: [{ what: "request", method: "GET", url: at, query }, listOf("answer.results", ...more)], notes };
  }
  const root = `${partJson(names("question"))}.id`;
  const simple = [
    "const answer = $json;",
    ...more,
    SIMPLE_BLOCK,
    `return { blocks: answer.results.map((block) => simpleBlock(block, ${root})) };`,
  ];
  return {
    steps: [
      { what: "question", code: `return { id: ${js(id)} };` },
      { what: "request", method: "GET", url: "=https://api.notion.com/v1/blocks/{{ $json.id }}/children", query },
      { what: "blocks", code: simple.join("\n") },
      listOf("answer.blocks"),
    ],
    notes,
  };
}
