import { isObject, type JsonObject } from "@oven/contract";
import type { ApiDocument } from "@oven/contract/api";
import { introspectionIn, isSdl, readGraphql } from "./graphql/read-graphql.ts";
import { readOpenApi } from "./openapi/read-openapi.ts";
import { parseText } from "./parse/parse-text.ts";
import { unreadable } from "./parse/unreadable.ts";

/**
 * Reads a document of an API, of whatever kind it is, in the thread that calls it.
 * @throws OvenError API_DOCUMENT_UNREADABLE
 */
export function readDocument(given: string, baseUrl: string | undefined): ApiDocument {
  const text = given.replace(/^\uFEFF/, "");
  if (/^\s*<(?:!doctype|html|\?xml)\b/i.test(text))
    throw unreadable("It is a page of markup, not a document of an API", FIX);
  if (isSdl(text)) return readGraphql(text, baseUrl);
  const root = parseText(text);
  if (root.openapi !== undefined || root.swagger !== undefined) return readOpenApi(root, baseUrl);
  const introspection = introspectionIn(root);
  if (introspection !== undefined) return readGraphql(introspection, baseUrl);
  throw unreadable(`It is no document of an API that OVEN knows${likely(root)}`, FIX);
}

const FIX = "Give a document of OpenAPI 3 or Swagger 2 (often openapi.json or swagger.json), or a schema of GraphQL.";

/** What the document seems to be instead. */
function likely(root: JsonObject): string {
  const { info, errors } = root;
  if (isObject(info) && typeof info.schema === "string" && info.schema.includes("postman"))
    return ": it is a collection of Postman, which can be exported as OpenAPI";
  if (root.asyncapi !== undefined) return ": AsyncAPI describes messages, not calls";
  const [first] = Array.isArray(errors) ? errors : [];
  if (isObject(first) && typeof first.message === "string")
    return `: it is an answer with the error ${JSON.stringify(first.message.slice(0, 200))}`;
  return ": neither `openapi`, `swagger` nor a schema of GraphQL is in it";
}
