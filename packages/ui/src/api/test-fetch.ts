import type { Fetch } from "./api-client.ts";

export interface SeenRequest {
  method: string;
  url: string;
  headers: Headers;
  body: unknown;
}

/** A server of one answer per request, in order, that notes what it was asked. */
export function answerWith(...answers: (Response | Error)[]): { fetch: Fetch; seen: SeenRequest[] } {
  const seen: SeenRequest[] = [];
  const left = [...answers];
  const fetch: Fetch = async (input, init) => {
    const body = typeof init?.body === "string" ? JSON.parse(init.body) : undefined;
    seen.push({ method: init?.method ?? "GET", url: String(input), headers: new Headers(init?.headers), body });
    const answer = left.shift();
    if (answer === undefined) throw new Error(`unexpected request ${String(input)}`);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { fetch, seen };
}

/** A JSON answer, for tests. */
export function json(body: unknown, init: ResponseInit = {}): Response {
  return new Response(JSON.stringify(body), {
    ...init,
    headers: { "content-type": "application/json", ...Object.fromEntries(new Headers(init.headers)) },
  });
}
