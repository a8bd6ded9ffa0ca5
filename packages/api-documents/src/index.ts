export { readCurl } from "./curl/read-curl.ts";
export { graphqlIntrospection } from "./graphql/introspection-query.ts";
export { type ReadOptions, readApiDocument } from "./read-api-document.ts";
export { type ApiFile, type ApiRequest, type ApiRequestBody, toRequest } from "./request/to-request.ts";
