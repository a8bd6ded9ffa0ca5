import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { operationOf } from "./app-fields.ts";
import type { Given } from "./app-given.ts";
import { type App, type AppPlan, ownAddress } from "./app-steps.ts";
import { url } from "./app-values.ts";

const AT = ownAddress("jira");

export const JIRA: App = {
  title: "Jira",
  credential: "jiraSoftwareCloudApi",
  secret: "jira",
  ownAddress: "jira",
  plan: (given) => {
    given.choice("jiraVersion", "cloud", ["cloud"]);
    return operationOf(given, OPERATIONS, {
      resource: "issue",
      operation: { issue: "create", issueComment: "add", issueAttachment: "add" },
    })(given);
  },
};

const at = (path: string): string => (path.startsWith("=") ? `=${AT}${path.slice(1)}` : `${AT}${path}`);

const OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "issue:create": (given) => {
    const more = given.group("additionalFields");
    const description = more.get("description");
    const fields = {
      summary: given.need("summary"),
      project: { id: given.locator("project") },
      issuetype: { id: given.locator("issueType", { what: "type of issue" }) },
      ...(description === undefined ? {} : { description }),
      ...(more.get("labels") === undefined ? {} : { labels: more.or("labels", []) }),
      ...(more.get("priority") === undefined ? {} : { priority: { id: more.locator("priority") } }),
      ...(more.get("assignee") === undefined ? {} : { assignee: { id: more.locator("assignee") } }),
    };
    return { steps: [{ method: "POST", url: `${AT}/rest/api/2/issue`, body: { fields } }] };
  },
  "issueComment:add": (given) => {
    if (given.flag("jsonParameters")) throw new NoEquivalent("its comment is a document of Jira");
    const options = given.group("options").all();
    if (isObject(options) && Object.keys(options).length > 0) throw new NoEquivalent("its comment has options");
    if (given.flag("wikiMarkup")) throw new NoEquivalent("its comment is in the markup of wikis");
    const text = { type: "text", text: given.need("comment") };
    const body = { body: { type: "doc", version: 1, content: [{ type: "paragraph", content: [text] }] } };
    const address = at(url`/rest/api/3/issue/${given.need("issueKey", "issue")}/comment`);
    return { steps: [{ method: "POST", url: address, body }] };
  },
};
