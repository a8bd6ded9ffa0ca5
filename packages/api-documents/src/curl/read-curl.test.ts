import { ApiDocumentSchema, type ApiOperation } from "@oven/contract/api";
import { schemaProblems } from "@oven/engine";
import { describe, expect, it } from "vitest";
import { toRequest } from "../request/to-request.ts";
import { readCurl } from "./read-curl.ts";

function read(text: string) {
  const document = ApiDocumentSchema.parse(readCurl(text));
  const [operation] = document.operations;
  const [server] = document.servers;
  if (operation === undefined || server === undefined) throw new Error("no operation");
  expect(schemaProblems(operation.inputSchema, ["inputSchema"])).toEqual([]);
  return { ...document, operation, request: (input = {}) => toRequest(operation, input, server.url) };
}

describe("a curl command is sent as it was written", () => {
  it("OpenAI: JSON, a token of the shell", () => {
    const { operation, signIns, request } = read(`curl https://api.openai.com/v1/chat/completions \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -d '{"model": "gpt-4o", "messages": [{"role": "user", "content": "Hi"}]}'`);
    expect(signIns).toEqual([{ name: "bearer", description: expect.any(String), how: { type: "bearer" } }]);
    expect(operation).toMatchObject({
      name: "post_v1_chat_completions",
      effect: "at-most-once",
      signIn: [{ bearer: [] }],
    });
    expect(request()).toEqual({
      method: "POST",
      url: "https://api.openai.com/v1/chat/completions",
      headers: { "content-type": "application/json" },
      body: { kind: "json", value: { model: "gpt-4o", messages: [{ role: "user", content: "Hi" }] } },
    });
    expect(request({ model: "other" }).body).toMatchObject({ value: { model: "other" } });
  });

  it("GitHub: placeholders in the path are required", () => {
    const { operation, request } = read(
      `curl -L -H "Accept: application/vnd.github+json" -H "X-GitHub-Api-Version: 2022-11-28" https://api.github.com/repos/{owner}/$REPO/issues?page=2`,
    );
    expect(operation.inputSchema).toMatchObject({
      required: ["owner", "REPO"],
      properties: { page: { default: "2" } },
    });
    expect(request({ owner: "a/b", REPO: "c" })).toEqual({
      method: "GET",
      url: "https://api.github.com/repos/a%2Fb/c/issues?page=2",
      headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
      body: { kind: "none" },
    });
  });

  it("Stripe: name and password, a form", () => {
    const { operation, signIns, request } = read(
      `curl https://api.stripe.com/v1/charges -u sk_test_4eC39H: -d amount=2000 -d "metadata[a]=b c" --data-urlencode "note=x&y"`,
    );
    expect(signIns.map(({ how }) => how.type)).toEqual(["basic"]);
    expect(JSON.stringify([operation, signIns])).not.toContain("sk_test");
    expect(request().body).toEqual({
      kind: "form",
      value: [
        ["amount", "2000"],
        ["metadata[a]", "b c"],
        ["note", "x&y"],
      ],
    });
  });

  it("Chrome for Windows, with carets", () => {
    const { request } = read(
      'curl ^"https://example.com/api?a=1^&b=2^" ^\r\n  -X ^"PUT^" ^\r\n  -H ^"content-type: application/json^" ^\r\n  --data-raw ^"^{^\\^"name^\\^":^\\^"x^\\^"^}^"',
    );
    expect(request()).toMatchObject({
      method: "PUT",
      url: "https://example.com/api?a=1&b=2",
      body: { kind: "json", value: { name: "x" } },
    });
  });

  it("-G, --json, --url-query and files of a form", () => {
    expect(read("curl -G https://e.example/s -d q=1 --data-urlencode 'r=a b'").request().url).toBe(
      "https://e.example/s?q=1&r=a%20b",
    );
    expect(read(`curl --json '[1]' 'https://e.example' --url-query x=1`).request()).toEqual({
      method: "POST",
      url: "https://e.example/?x=1",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: { kind: "json", value: [1] },
    });
    const { operation, request } = read("curl https://e.example/up -F 'file=@a.png;type=image/png' -F note=hi");
    expect(operation.inputSchema.required).toEqual(["file"]);
    const file = { blob: { $blob: 1, sha256: "a" } };
    expect(request({ file }).body).toEqual({
      kind: "multipart",
      value: [
        ["note", "hi"],
        ["file", file],
      ],
    });
    expect(
      read("curl https://e.example -H 'Content-Type: text/xml' --data-binary '<a>\n</a>'").request(),
    ).toMatchObject({
      headers: { "content-type": "text/xml" },
      body: { kind: "text", value: "<a>\n</a>" },
    });
  });

  it("a long number in JSON stays what it is", () => {
    const { request } = read(`curl https://e.example --json '{"id": 12345678901234567890}'`);
    expect(JSON.stringify(request().body)).toContain("12345678901234567890");
  });
});

describe("credentials are recognised, and stored nowhere", () => {
  const SECRET = "s3cr3t";
  it.each([
    [`curl https://e.example -H 'Authorization: Bearer ${SECRET}'`, { type: "bearer" }],
    [`curl https://e.example -H 'Authorization: Basic ${SECRET}'`, { type: "basic" }],
    [
      `curl https://e.example -H 'Authorization: token ${SECRET}'`,
      { type: "api-key", in: "header", name: "Authorization" },
    ],
    [`curl https://e.example -H 'X-Api-Key: ${SECRET}'`, { type: "api-key", in: "header", name: "X-Api-Key" }],
    [`curl 'https://e.example?api_key=${SECRET}&x=1'`, { type: "api-key", in: "query", name: "api_key" }],
    [`curl https://e.example -H 'X-Shop-Token: ${SECRET}'`, { type: "api-key", in: "header", name: "X-Shop-Token" }],
    [`curl 'https://e.example?sig=${SECRET}'`, { type: "api-key", in: "query", name: "sig" }],
    [`curl https://me:${SECRET}@e.example/a`, { type: "basic" }],
    [`curl https://e.example --oauth2-bearer ${SECRET}`, { type: "bearer" }],
    [`curl https://e.example -b session=${SECRET}`, undefined],
    [`curl https://e.example -H 'cookie: session=${SECRET}'`, undefined],
    [`curl https://e.example --json '{"user":{"password":"${SECRET}"}}'`, undefined],
    [`curl https://e.example -d clientSecret=${SECRET}`, undefined],
  ])("%s", (text, how) => {
    const document = read(text);
    expect(document.signIns.map((signIn) => signIn.how)).toEqual(how === undefined ? [] : [how]);
    expect(JSON.stringify(document)).not.toContain(SECRET);
  });
});

it("what is never closed is not looked for again and again", () => {
  for (const part of ["$(", "`x", "${", "^ ", "\\'"])
    expect(read(`curl https://e.example -A "${part.repeat(40_000)}"`).servers).toHaveLength(1);
});

describe("what cannot be sent", () => {
  it.each([
    ["curl https://e.example -d @body.json", "The body is read from the file body.json: paste its text instead"],
    ["curl https://e.example -F 'a=<b.txt'", "The body is read from the file b.txt: paste its text instead"],
    ["curl -X PURGE https://e.example", "The method PURGE is not known"],
    ["curl https://a.example https://b.example", "The command calls several addresses: paste each by itself"],
    ["curl -K config https://e.example", "The command reads its options from a file"],
  ])("%s: %s", (text, problem) => {
    const { operation }: { operation: ApiOperation } = read(text);
    expect(operation.problem).toBe(problem);
  });

  it.each(["", "wget https://e.example", "curl -s", "curl 'https://e.example", "curl ftp://e.example", "curl -X"])(
    "%s is no command",
    (text) => {
      expect(() => readCurl(text)).toThrow(expect.objectContaining({ code: "API_DOCUMENT_UNREADABLE" }));
    },
  );
});
