/** Connections to APIs, and the documents that describe them. */
export {
  type ApiBody,
  ApiBodySchema,
  type ApiDocument,
  ApiDocumentSchema,
  type ApiField,
  ApiFieldSchema,
  type ApiOperation,
  ApiOperationSchema,
  type ApiParameter,
  ApiParameterSchema,
  type ApiSignIn,
  ApiSignInSchema,
} from "../api-document.ts";
export { type CurlOption, type CurlOptions, readCurlOptions } from "../curl/curl-options.ts";
export { readPromptWords, readShellWords, type ShellWords, UnclosedQuote } from "../curl/shell-words.ts";
