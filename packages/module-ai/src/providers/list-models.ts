import { isOvenError, OvenError } from "@oven/contract";
import type { z } from "zod";

const LIST_TIMEOUT_MS = 5_000;

interface ListRequest<Shape> {
  url: string;
  headers: Record<string, string>;
  fetch: typeof fetch;
  schema: z.ZodType<Shape>;
}

/** @throws OvenError MODEL_UNAVAILABLE; whatever refuses an outbound call */
export async function fetchList<Shape>({ url, headers, fetch, schema }: ListRequest<Shape>): Promise<Shape> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(LIST_TIMEOUT_MS) });
    if (!response.ok) {
      await response.body?.cancel();
      throw new HttpStatus(response.status);
    }
    return schema.parse(await response.json());
  } catch (cause) {
    if (isOvenError(cause)) throw cause;
    const status = cause instanceof HttpStatus ? cause.status : undefined;
    const why = status === undefined ? "" : `: it answered ${status}`;
    throw new OvenError("MODEL_UNAVAILABLE", `The list of models at ${url} could not be read${why}`, {
      status: 503,
      fix:
        status === 401 || status === 403
          ? "Check the provider's key"
          : "Check the provider's address, or set the alias to a model by name, such as `openai:gpt-4.1-mini`",
      retryable: true,
      ...(status === undefined ? {} : { details: { status } }),
      cause,
    });
  }
}

class HttpStatus extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`it answered ${status}`);
    this.status = status;
  }
}
