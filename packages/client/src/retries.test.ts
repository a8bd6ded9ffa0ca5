import { describe, expect, it } from "vitest";
import { Http } from "./http.ts";

/** Answers in turn, and counts. */
function serverOf(...answers: (Response | Error)[]) {
  const seen: Request[] = [];
  const http = new Http({
    url: "http://oven.example.com",
    key: async () => `key-${seen.length}`,
    fetch: async (request) => {
      const answer = answers[seen.length] ?? new Response("too many", { status: 500 });
      seen.push(request);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { http, seen };
}
const status = (code: number, headers: Record<string, string> = {}) => new Response("busy", { status: code, headers });
const done = () => Response.json({ ok: true });
const soon = { "retry-after": "0.001" };

describe("a request is sent again", () => {
  it.each([
    ["GET", undefined, [status(502), status(504), new TypeError("broken")]],
    ["PUT", undefined, [status(503, soon)]],
    ["POST", "key-of-the-order", [new TypeError("broken"), status(502)]],
    // The server had not begun.
    ["POST", undefined, [status(503, soon), status(429, soon)]],
  ])("%s with the key %s", async (method, idempotencyKey, troubles) => {
    const { http, seen } = serverOf(...troubles, done());
    const options = idempotencyKey === undefined ? {} : { idempotencyKey };
    expect(await http.send(method, "things", method === "GET" ? undefined : { a: 1 }, options)).toEqual({ ok: true });
    expect(seen).toHaveLength(troubles.length + 1);
    // Each with its body, the same key to know it by, and a key that is got anew.
    expect(await Promise.all(seen.map((request) => request.text()))).toEqual(
      seen.map(() => (method === "GET" ? "" : '{"a":1}')),
    );
    expect(new Set(seen.map(({ headers }) => headers.get("idempotency-key")))).toEqual(
      new Set([idempotencyKey ?? null]),
    );
    expect(seen.map(({ headers }) => headers.get("authorization"))).toEqual(seen.map((_, at) => `Bearer key-${at}`));
  });
});

describe("a request is not sent again", () => {
  it.each([
    ["POST", status(502), "UNEXPECTED_ANSWER"],
    ["POST", new TypeError("broken"), "SERVER_UNREACHABLE"],
    ["GET", status(500), "UNEXPECTED_ANSWER"],
    ["GET", status(429, { "retry-after": "3600" }), "UNEXPECTED_ANSWER"],
  ])("%s after %s", async (method, trouble, code) => {
    const { http, seen } = serverOf(trouble, done());
    await expect(http.send(method, "things")).rejects.toMatchObject({ code });
    expect(seen).toHaveLength(1);
  });

  it("more often than was said", async () => {
    const busy = () => status(503, soon);
    const { http, seen } = serverOf(busy(), busy(), busy(), busy(), done());
    await expect(http.send("GET", "things")).rejects.toMatchObject({ status: 503 });
    expect(seen).toHaveLength(4);
  });

  it("once its caller has lost interest", async () => {
    const { http, seen } = serverOf(status(503, { "retry-after": "20" }), done());
    const leaving = new AbortController();
    const sent = http.send("GET", "things", undefined, { signal: leaving.signal });
    await expect.poll(() => seen.length).toBe(1);
    leaving.abort(new Error("gone"));
    await expect(sent).rejects.toThrow("gone");
    expect(seen).toHaveLength(1);
  });
});
