import { describe, expect, it } from "vitest";
import { createApiClient } from "./api-client.ts";
import { asApiError } from "./api-error.ts";
import { answerWith, json } from "./test-fetch.ts";

async function failureOf(...answers: (Response | Error)[]) {
  const api = createApiClient(answerWith(...answers).fetch);
  return asApiError(await api("things").catch((error: unknown) => error));
}

describe("the API client", () => {
  it("sends no body and no content type with GET", async () => {
    const { fetch, seen } = answerWith(json({}));
    await createApiClient(fetch)("things", { query: { q: "a b" } });
    expect(seen[0]).toMatchObject({ method: "GET", url: "/api/things?q=a+b", body: undefined });
    expect(seen[0]?.headers.has("content-type")).toBe(false);
  });

  it("says what to do when nothing answered", async () => {
    await expect(failureOf(new TypeError("fetch failed"))).resolves.toMatchObject({
      status: 0,
      code: "UNREACHABLE",
      fix: expect.stringContaining("running"),
    });
  });

  it("lets an abort through as it is", async () => {
    const abort = new DOMException("aborted", "AbortError");
    const api = createApiClient(answerWith(abort).fetch);
    await expect(api("things")).rejects.toBe(abort);
  });

  it("understands better-auth's own error form", async () => {
    const answer = json({ code: "INVALID_EMAIL_OR_PASSWORD", message: "Invalid email or password" }, { status: 401 });
    await expect(failureOf(answer)).resolves.toMatchObject({ status: 401, code: "INVALID_EMAIL_OR_PASSWORD" });
  });

  it("makes an error of an answer that is no JSON", async () => {
    await expect(failureOf(new Response("<html>", { status: 502 }))).resolves.toMatchObject({
      code: "HTTP_502",
      message: "The server answered 502 without saying why",
    });
  });

  it("shows a deep path in the editor, not at a form field", async () => {
    const error = { code: "INVALID_DEFINITION", message: "no", path: "$.definition.states.a", docs: "d" };
    const failure = await failureOf(json({ error }, { status: 400 }));
    expect(failure.body.errors).toEqual({});
    expect(failure.path).toBe("$.definition.states.a");
  });
});
