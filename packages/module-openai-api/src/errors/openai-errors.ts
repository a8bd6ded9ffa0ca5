import type { OvenError } from "@oven/contract";
import type { ErrorShape } from "@oven/module-registry";
import { z } from "zod";

/** The body of every error of this API. */
export const OpenAiErrorSchema = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});
export type OpenAiError = z.infer<typeof OpenAiErrorSchema>;

/** As OpenAI calls them. Others have the code of OVEN in lower case. */
const CODES: Record<string, string> = {
  UNAUTHENTICATED: "invalid_api_key",
  FORBIDDEN: "insufficient_permissions",
  TOO_MANY_REQUESTS: "rate_limit_exceeded",
  TOO_MANY_RUNS: "rate_limit_exceeded",
};

export const openAiErrors: ErrorShape = {
  schema: OpenAiErrorSchema,
  toBody: toOpenAiError,
  headers: ({ status }) => retryHeader(status === 429 || status === 503),
};

export function toOpenAiError({ code, message, fix, path, status }: OvenError): OpenAiError {
  return {
    error: {
      message: fix === undefined ? message : `${message}. ${fix}`,
      type: typeOf(status),
      param: path === undefined ? null : path.replace(/^\$\.?/, ""),
      code: CODES[code] ?? code.toLowerCase(),
    },
  };
}

/** Their own clients send a request again after 409 and 5xx, unless this header says that it is of no use. */
export function retryHeader(isOfUse: boolean): Record<string, string> {
  return isOfUse ? {} : { "x-should-retry": "false" };
}

function typeOf(status: number): string {
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
