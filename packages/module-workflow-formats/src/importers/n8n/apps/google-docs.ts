import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { App } from "./app-steps.ts";
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
    if (operation !== "get") throw new NoEquivalent(`there is no node here that does document: ${operation}`);
    const value = given.need("documentURL", "document");
    const id = isExpression(value)
      ? computed(`((given) => (${ID}.exec(given) ?? [])[1] ?? given)(String(${js(value)}))`)
      : (ID.exec(String(value))?.[1] ?? value);
    const request = { method: "GET", url: url`https://docs.googleapis.com/v1/documents/${id}` } as const;
    if (!given.flag("simple", true)) return { steps: [request] };
    return { steps: [{ ...request, what: "request" }, { code: TEXT }] };
  },
};
