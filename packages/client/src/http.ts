import { OvenError } from "@oven/contract";

export interface ClientOptions {
  /** Where OVEN answers, without `/api`. */
  url: string;
  /** An API key. */
  key: string;
  /** Default: the global one. */
  fetch?: (request: Request) => Promise<Response>;
}

/** JSON requests to the API. */
export class Http {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** @throws OvenError as the server told it; SERVER_UNREACHABLE when none answered */
  async send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { url, key, fetch: send = fetch } = this.#options;
    const request = new Request(new URL(`api/${path}`, url.endsWith("/") ? url : `${url}/`), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    let response: Response;
    try {
      response = await send(request);
    } catch (cause) {
      throw new OvenError("SERVER_UNREACHABLE", `OVEN does not answer at ${url}`, {
        status: 503,
        fix: "Check the URL, and that the server is running.",
        cause,
      });
    }
    const text = await response.text();
    if (!response.ok) throw toError(response.status, text);
    return (text === "" ? undefined : JSON.parse(text)) as T; // cast: the route's response schema
  }

  /** As `send`; null where there is nothing of that id. */
  async find<T>(path: string): Promise<T | null> {
    try {
      return await this.send<T>("GET", path);
    } catch (error) {
      if (error instanceof OvenError && error.code === "NOT_FOUND") return null;
      throw error;
    }
  }
}

function toError(status: number, text: string): OvenError {
  const told = parse(text);
  if (typeof told?.code !== "string" || typeof told.message !== "string") {
    return new OvenError("UNEXPECTED_ANSWER", `The server answered ${status}: ${text.slice(0, 200)}`, { status });
  }
  const { code, message, fix, path, details } = told;
  return new OvenError(code, message, {
    status,
    ...(typeof fix === "string" ? { fix } : {}),
    ...(typeof path === "string" ? { path } : {}),
    ...(typeof details === "object" && details !== null ? { details: details as Record<string, never> } : {}), // cast: JSON of the server
  });
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const error = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
    return typeof error === "object" && error !== null ? (error as Record<string, unknown>) : undefined; // cast: an object
  } catch {
    return undefined;
  }
}
