import type { Json, JsonObject } from "@oven/contract";
import { fieldsOf, operationOf } from "./app-fields.ts";
import { type Given, limitOf } from "./app-given.ts";
import { type App, type AppPlan, listOf, ONE_PAGE, ownAddress, refuseMore } from "./app-steps.ts";
import { computed, isExpression, js, url } from "./app-values.ts";

const AT = `${ownAddress("wordpress")}/wp-json/wp/v2`;
/** As many as WordPress hands on at once. */
const PAGE = 100;
const LIST = "Object.values(answer)";

export const WORDPRESS: App = {
  title: "WordPress",
  credential: "wordpressApi",
  secret: "wordpress",
  ownAddress: "wordpress",
  plan: (given) =>
    operationOf(given, OPERATIONS, { resource: "post", operation: { post: "create", page: "create" } })(given),
};

interface Kind {
  path: "posts" | "pages";
  id: string;
  fields: Readonly<Record<string, string>>;
  filters: Readonly<Record<string, string>>;
}

const POSTS: Kind = {
  ...{ path: "posts", id: "postId" },
  fields: {
    ...{ authorId: "author", content: "content", slug: "slug", password: "password", status: "status" },
    ...{ commentStatus: "comment_status", pingStatus: "ping_status", sticky: "sticky", categories: "categories" },
    ...{ tags: "tags", format: "format", date: "date" },
  },
  filters: {
    ...{ context: "context", orderBy: "orderby", order: "order", search: "search", before: "before", after: "after" },
    ...{ sticky: "sticky", status: "status" },
  },
};
const PAGES: Kind = {
  ...{ path: "pages", id: "pageId" },
  fields: {
    ...{ authorId: "author", content: "content", slug: "slug", password: "password", status: "status" },
    ...{ commentStatus: "comment_status", pingStatus: "ping_status", menuOrder: "menu_order", parent: "parent" },
    ...{ featuredMediaId: "featured_media" },
  },
  filters: {
    ...{ context: "context", orderBy: "orderby", order: "order", search: "search", before: "before", after: "after" },
    ...{ parent: "parent", menuOrder: "menu_order", status: "status", page: "page" },
  },
};

const OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "post:create": (given) => create(given, POSTS),
  "post:update": (given) => update(given, POSTS),
  "post:get": (given) => get(given, POSTS),
  "post:getAll": (given) => getAll(given, POSTS),
  "page:create": (given) => create(given, PAGES),
  "page:update": (given) => update(given, PAGES),
  "page:get": (given) => get(given, PAGES),
  "page:getAll": (given) => getAll(given, PAGES),
};

function addressOf(given: Given, { path, id }: Kind): string {
  const own = url`/${given.need(id)}`;
  return own.startsWith("=") ? `=${AT}/${path}${own.slice(1)}` : `${AT}/${path}${own}`;
}

function create(given: Given, { path, fields }: Kind): AppPlan {
  const body = { title: given.need("title"), ...fieldsOf(given.group("additionalFields"), fields) };
  return { steps: [{ method: "POST", url: `${AT}/${path}`, body }] };
}

function update(given: Given, kind: Kind): AppPlan {
  const id: Json = given.need(kind.id);
  const group = given.group("updateFields");
  const body: JsonObject = {
    id: isExpression(id) ? computed(`Number.parseInt(${js(id)}, 10)`) : Number.parseInt(String(id), 10),
    ...fieldsOf(group, { title: "title", ...kind.fields }),
  };
  return { steps: [{ method: "POST", url: addressOf(given, kind), body }] };
}

function get(given: Given, kind: Kind): AppPlan {
  const query = fieldsOf(given.group("options"), { password: "password", context: "context" });
  return { steps: [{ method: "GET", url: addressOf(given, kind), query }] };
}

function getAll(given: Given, { path, filters }: Kind): AppPlan {
  const query = fieldsOf(given.group("options"), filters);
  const count = limitOf(given);
  const full = refuseMore(`${LIST}.length >= ${PAGE}`, PAGE - 1);
  return {
    steps: [
      {
        what: "request",
        method: "GET",
        url: `${AT}/${path}`,
        query: { ...query, per_page: Math.min(PAGE, count ?? PAGE) },
      },
      listOf(LIST, ...(count === undefined ? [full] : [])),
    ],
    notes: count === undefined ? [ONE_PAGE(PAGE - 1)] : [],
  };
}
