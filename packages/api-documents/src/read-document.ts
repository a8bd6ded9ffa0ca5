import type { ApiDocument } from "@oven/contract/api";
import { introspectionIn, isSdl, readGraphql } from "./graphql/read-graphql.ts";
import { readOpenApi } from "./openapi/read-openapi.ts";
import { parseText } from "./parse/parse-text.ts";
import { unreadable } from "./parse/unreadable.ts";

/**
 * Reads a document of an API, of whatever kind it is, in the thread that calls it.
 * @throws OvenError API_DOCUMENT_UNREADABLE
 */
export function readDocument(text: string, baseUrl: string | undefined): ApiDocument {
  if (isSdl(text)) return readGraphql(text, baseUrl);
  const root = parseText(text);
  if (root.openapi !== undefined || root.swagger !== undefined) return readOpenApi(root, baseUrl);
  const introspection = introspectionIn(root);
  if (introspection !== undefined) return readGraphql(introspection, baseUrl);
  throw unreadable(
    "It is no document of an API that OVEN knows: neither `openapi`, `swagger` nor a schema of GraphQL is in it",
    "Give a document of OpenAPI 3, Swagger 2 or the answer of an introspection query.",
  );
}
