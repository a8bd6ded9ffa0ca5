import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { type Given, limitOf } from "./app-given.ts";
import { type App, type AppPlan, listOfAll, ONE_PAGE, type PartNames, partJson, refuseMore } from "./app-steps.ts";
import { computed, isExpression, js, url } from "./app-values.ts";
import { BASE64 } from "./mail-code.ts";

export const GITHUB: App = {
  title: "GitHub",
  credential: "githubApi",
  secret: "github",
  plan: (given, names) => {
    const resource = String(given.or("resource", "issue"));
    const operation = String(given.or("operation", resource === "repository" ? "getIssues" : "create"));
    const known = OPERATIONS[`${resource}:${operation}`];
    if (known === undefined) throw new NoEquivalent(`there is no node here that does ${resource}: ${operation}`);
    const owner = given.locator("owner", { pattern: /https:\/\/github\.com\/([-_0-9a-zA-Z]+)/ });
    const name = given.locator("repository", { pattern: /https:\/\/github\.com\/[-_0-9a-zA-Z]+\/([-_.0-9a-zA-Z]+)/ });
    return known(given, { owner, name }, names);
  },
};

interface Repository {
  owner: Json;
  name: Json;
}

const OPERATIONS: Readonly<Record<string, (given: Given, repository: Repository, names: PartNames) => AppPlan>> = {
  "issue:create": (given, { owner, name }) => {
    const body: JsonObject = {
      title: given.need("title"),
      body: given.or("body", ""),
      labels: namesIn(given, "labels", "label"),
      assignees: namesIn(given, "assignees", "assignee"),
    };
    return { steps: [{ method: "POST", url: url`https://api.github.com/repos/${owner}/${name}/issues`, body }] };
  },
  "issue:createComment": (given, { owner, name }) => ({
    steps: [
      {
        method: "POST",
        url: url`https://api.github.com/repos/${owner}/${name}/issues/${given.need("issueNumber")}/comments`,
        body: { body: given.need("body") },
      },
    ],
  }),
  "issue:get": (given, { owner, name }) => ({
    steps: [
      { method: "GET", url: url`https://api.github.com/repos/${owner}/${name}/issues/${given.need("issueNumber")}` },
    ],
  }),
  "issue:edit": (given, { owner, name }) => {
    const fields = given.group("editFields");
    const body: JsonObject = {};
    for (const field of ["title", "body", "state", "state_reason"]) {
      const value = fields.get(field);
      if (value !== undefined) body[field] = value;
    }
    if (fields.get("labels") !== undefined) body.labels = namesIn(fields, "labels", "label");
    if (fields.get("assignees") !== undefined) body.assignees = namesIn(fields, "assignees", "assignee");
    return {
      steps: [
        {
          method: "PATCH",
          url: url`https://api.github.com/repos/${owner}/${name}/issues/${given.need("issueNumber")}`,
          body,
        },
      ],
    };
  },
  "repository:get": (_given, { owner, name }) => ({
    steps: [{ method: "GET", url: url`https://api.github.com/repos/${owner}/${name}` }],
  }),
  "repository:getLicense": (_given, { owner, name }) => ({
    steps: [{ method: "GET", url: url`https://api.github.com/repos/${owner}/${name}/license` }],
  }),
  "repository:getProfile": (_given, { owner, name }) => ({
    steps: [{ method: "GET", url: url`https://api.github.com/repos/${owner}/${name}/community/profile` }],
  }),
  "repository:getIssues": (given, { owner, name }) =>
    list(
      given,
      url`https://api.github.com/repos/${owner}/${name}/issues`,
      given.group("getRepositoryIssuesFilters").all(),
    ),
  "repository:getPullRequests": (given, { owner, name }) =>
    list(
      given,
      url`https://api.github.com/repos/${owner}/${name}/pulls`,
      given.group("getRepositoryPullRequestsFilters").all(),
    ),
  "release:getAll": (given, { owner, name }) =>
    list(given, url`https://api.github.com/repos/${owner}/${name}/releases`, {}),
  "release:get": (given, { owner, name }) => ({
    steps: [
      { method: "GET", url: url`https://api.github.com/repos/${owner}/${name}/releases/${given.need("release_id")}` },
    ],
  }),
  "release:create": (given, { owner, name }) => ({
    steps: [
      {
        method: "POST",
        url: url`https://api.github.com/repos/${owner}/${name}/releases`,
        body: { ...given.group("additionalFields").all(), tag_name: given.need("releaseTag", "tag") },
      },
    ],
  }),
  "review:create": (given, { owner, name }) => {
    const events = { approve: "APPROVE", requestChanges: "REQUEST_CHANGES", comment: "COMMENT", pending: "PENDING" };
    const event = given.choice("event", "approve", ["approve", "requestChanges", "comment", "pending"]);
    const hasBody = event === "requestChanges" || event === "comment";
    const body = {
      ...given.group("additionalFields").all(),
      event: events[event],
      ...(hasBody ? { body: given.or("body", "") } : {}),
    };
    const number = given.need("pullRequestNumber", "pull request");
    return {
      steps: [
        { method: "POST", url: url`https://api.github.com/repos/${owner}/${name}/pulls/${number}/reviews`, body },
      ],
    };
  },
  "file:get": (given, { owner, name }) => {
    if (given.flag("asBinaryProperty", true)) throw new NoEquivalent("it downloads a file");
    const ref = given.group("additionalParameters").get("reference");
    const query = ref === undefined ? {} : { query: { ref } };
    return {
      steps: [
        { method: "GET", url: url`https://api.github.com/repos/${owner}/${name}/contents/${pathOf(given)}`, ...query },
      ],
    };
  },
  "file:create": (given, { owner, name }) => ({
    steps: [
      {
        method: "PUT",
        url: url`https://api.github.com/repos/${owner}/${name}/contents/${pathOf(given)}`,
        body: fileOf(given),
      },
    ],
  }),
  "file:edit": (given, { owner, name }, names) => {
    const question = partJson(names("question"));
    const place = { owner, name, path: pathOf(given), body: fileOf(given) };
    const at = "https://api.github.com/repos/";
    return {
      steps: [
        {
          what: "question",
          code: `const { owner, name, path, body } = ${js(place)};\nreturn { at: owner + "/" + name + "/contents/" + path, body };`,
        },
        {
          what: "file",
          method: "GET",
          url: `=${at}{{ $json.at }}`,
          query: { ref: computed(`${question}.body.branch ?? null`) },
        },
        {
          method: "PUT",
          url: `=${at}{{ ${question}.at }}`,
          body: computed(`({ ...${question}.body, sha: $json.sha })`),
        },
      ],
    };
  },
};

/** A list that GitHub hands on, page by page. */
function list(given: Given, address: string, query: JsonObject): AppPlan {
  const count = limitOf(given, { limit: 50 });
  const lines = count === undefined ? [refuseMore("answer.length >= 100", 100)] : [];
  return {
    steps: [
      { what: "request", method: "GET", url: address, query: { ...query, per_page: count ?? 100 } },
      listOfAll("answer", ...lines),
    ],
    notes: count === undefined ? [ONE_PAGE(100)] : [],
  };
}

/** The path of a file; its slashes stay. */
function pathOf(given: Given): Json {
  const path = given.need("filePath", "path");
  const encode = (text: string): string => text.split("/").map(encodeURIComponent).join("/");
  return isExpression(path)
    ? computed(`String(${js(path)}).split("/").map(encodeURIComponent).join("/")`)
    : `${encode(String(path))}`;
}

function fileOf(given: Given): JsonObject {
  if (given.flag("binaryData")) throw new NoEquivalent("it sends a file");
  const more = given.group("additionalParameters");
  const branch = more.group("branch").get("branch");
  const content = computed(`(() => {\n${BASE64}\nreturn base64(String(${js(given.or("fileContent", ""))}));\n})()`);
  return { message: given.need("commitMessage", "message"), content, ...(branch === undefined ? {} : { branch }) };
}

/** Labels or persons, which n8n lists as objects. @throws NoEquivalent */
function namesIn(given: Given, name: string, key: string): Json {
  const value = given.or(name, []);
  if (isExpression(value)) return computed(`[${js(value)}].flat().map((one) => one?.${key} ?? one)`);
  if (!Array.isArray(value)) throw new NoEquivalent(`its ${name} are computed`);
  return value.map((one) => (typeof one === "object" && one !== null && !Array.isArray(one) ? (one[key] ?? "") : one));
}
