import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";
import type { App, AppPlan } from "./app-steps.ts";
import { computed, isExpression, js, url } from "./app-values.ts";

const ID = /\/document\/d\/([a-zA-Z0-9\-_]+)/;

/** The text of a document: that of the runs in its paragraphs. */
const TEXT = [
  'const runs = ({ paragraph }) => (paragraph?.elements ?? []).map(({ textRun }) => textRun?.content ?? "").join("");',
  'return { documentId: $json.documentId, content: ($json.body?.content ?? []).map(runs).join("") };',
].join("\n");

export const GOOGLE_DOCS: App = {
  title: "Google Docs",
  credential: "googleDocsOAuth2Api",
  secret: "google-docs",
  plan: (given) => {
    const operation = String(given.or("operation", "create"));
    if (operation !== "get" && operation !== "update")
      throw new NoEquivalent(`there is no node here that does document: ${operation}`);
    const value = given.need("documentURL", "document");
    const id = isExpression(value)
      ? computed(`((given) => (${ID}.exec(given) ?? [])[1] ?? given)(String(${js(value)}))`)
      : (ID.exec(String(value))?.[1] ?? value);
    if (operation === "update") return update(given, id);
    const request = { method: "GET", url: url`https://docs.googleapis.com/v1/documents/${id}` } as const;
    if (!given.flag("simple", true)) return { steps: [request] };
    return { steps: [{ ...request, what: "request" }, { code: TEXT }] };
  },
};

/** One change of a text. @throws NoEquivalent for changes of other things */
function changeOf(field: Given): JsonObject {
  const object = field.choice("object", "text", ["text"]);
  const action = field.choice("action", "insert", ["insert", "replaceAll"]);
  const text = field.or("text", "");
  if (action === "replaceAll") {
    const matchCase = field.flag("matchCase");
    return { replaceAllText: { replaceText: field.or("replaceText", ""), containsText: { text, matchCase } } };
  }
  const place = field.choice("locationChoice", "endOfSegmentLocation", ["endOfSegmentLocation", "location"]);
  const segmentId = field.or("insertSegment", "body") === "body" ? "" : field.or("segmentId", "");
  const index = field.or("index", 1);
  return {
    [`insert${object === "text" ? "Text" : ""}`]: {
      text,
      [place]: { segmentId, ...(place === "location" ? { index } : {}) },
    },
  };
}

/** What the first change answers with, and the id of the document. */
const FIRST =
  "const [first = {}] = $json.replies ?? [];\nconst [made = {}] = Object.values(first);\nreturn { ...made, documentId: $json.documentId };";
const WHOLE = "return $json;";

function update(given: Given, id: Json): AppPlan {
  const requests = given.list("actionsUi", "actionFields").map(changeOf);
  if (requests.length === 0) throw new NoEquivalent("it changes nothing");
  if (given.group("updateFields").keys().length > 0) throw new NoEquivalent("it changes one revision of a document");
  const address = url`https://docs.googleapis.com/v1/documents/${id}:batchUpdate`;
  const code = given.flag("simple", true) ? FIRST : WHOLE;
  return { steps: [{ what: "request", method: "POST", url: address, body: { requests } }, { code }] };
}
