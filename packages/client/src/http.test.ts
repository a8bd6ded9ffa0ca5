import { describe, expect, it } from "vitest";
import { Http } from "./http.ts";

const answering = (response: Response | Error, seen: Request[] = []) =>
  new Http({
    url: "https://oven.example.com/base",
    key: "oven_key",
    retries: 0,
    fetch: async (request) => {
      seen.push(request);
      if (response instanceof Error) throw response;
      return response.clone();
    },
  });
const told = (status: number, error: object) => Response.json({ error }, { status });

describe("requests to the API", () => {
  it("go below the given address with the key, and a body only where there is one", async () => {
    const seen: Request[] = [];
    const http = answering(Response.json({ ok: 1 }), seen);
    expect(await http.send("POST", "things", { a: 1 })).toEqual({ ok: 1 });
    await http.send("GET", "things");
    expect(seen.map(({ url, method }) => [method, url])).toEqual([
      ["POST", "https://oven.example.com/base/api/things"],
      ["GET", "https://oven.example.com/base/api/things"],
    ]);
    expect(seen.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer oven_key", "Bearer oven_key"]);
    expect(seen.map(({ headers }) => headers.get("content-type"))).toEqual(["application/json", null]);
    expect(await seen[0]?.json()).toEqual({ a: 1 });
  });

  it("answer nothing where the server does", async () => {
    expect(await answering(new Response(null, { status: 204 })).send("DELETE", "things/1")).toBeUndefined();
  });

  it("fail with what the server says", async () => {
    const error = { code: "NAME_TAKEN", message: "Taken", fix: "Choose another", path: "$.name", details: { a: 1 } };
    await expect(answering(told(409, error)).send("GET", "x")).rejects.toMatchObject({ ...error, status: 409 });
  });

  it("find null where nothing of that id is, and no other error away", async () => {
    expect(await answering(told(404, { code: "NOT_FOUND", message: "x" })).find("x")).toBeNull();
    const forbidden = answering(told(403, { code: "FORBIDDEN", message: "x" }));
    await expect(forbidden.find("x")).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("say so when nobody answers", async () => {
    const cause = new Error("refused");
    await expect(answering(cause).send("GET", "x")).rejects.toMatchObject({
      ...{ code: "SERVER_UNREACHABLE", status: 503, cause },
      fix: expect.stringContaining("URL"),
    });
  });

  it.each([["<h1>Bad gateway</h1>"], ['{"error":"text"}'], ["null"], [""]])(
    "say so when something else answers: %j",
    async (text) => {
      await expect(answering(new Response(text, { status: 502 })).send("GET", "x")).rejects.toMatchObject({
        ...{ code: "UNEXPECTED_ANSWER", status: 502 },
        message: expect.stringContaining("502"),
      });
    },
  );
});
