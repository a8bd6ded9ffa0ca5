import { readShellWords } from "@oven/contract/api";
import { describe, expect, it } from "vitest";
import { parseCurl } from "./parse-curl.ts";

function parsed(text: string) {
  const result = parseCurl(text);
  if (!result.ok) throw new Error(result.reason);
  return result;
}

describe("curl commands as they stand in documentation and are copied from browsers", () => {
  it("GitHub: a GET with headers, a token and line continuations", () => {
    const { input, notes } = parsed(`curl -L \\
  -H "Accept: application/vnd.github+json" \\
  -H "Authorization: Bearer <YOUR-TOKEN>" \\
  -H "X-GitHub-Api-Version: 2022-11-28" \\
  https://api.github.com/repos/OWNER/REPO/issues`);
    expect(input).toEqual({
      method: "GET",
      url: "https://api.github.com/repos/OWNER/REPO/issues",
      headers: { Accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28" },
    });
    expect(notes).toEqual(["The header Authorization was left out: put its value into a secret, and choose it there"]);
  });

  it("OpenAI: JSON in single quotes over several lines, a variable of the shell", () => {
    const { input, notes } = parsed(`$ curl https://api.openai.com/v1/chat/completions \\
  -H "Content-Type: application/json" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -d '{
    "model": "gpt-4o",
    "messages": [{"role": "user", "content": "It\\u0027s me"}]
  }'`);
    expect(input).toEqual({
      method: "POST",
      url: "https://api.openai.com/v1/chat/completions",
      body: { model: "gpt-4o", messages: [{ role: "user", content: "It's me" }] },
    });
    expect(notes).toContain("$OPENAI_API_KEY is filled in by a shell: write its value, or choose a variable");
  });

  it("Stripe: name and password, several fields of a form", () => {
    const { input, notes } = parsed(
      `curl https://api.stripe.com/v1/charges -u sk_test_4eC39H: -d amount=2000 -d currency=usd -d "description=My charge"`,
    );
    expect(input).toEqual({
      method: "POST",
      url: "https://api.stripe.com/v1/charges",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      bodyType: "text",
      body: "amount=2000&currency=usd&description=My charge",
    });
    expect(notes).toEqual([
      "Name and password (-u) were left out: put them into a secret, and choose it for the header Authorization",
    ]);
    expect(JSON.stringify(input)).not.toContain("sk_test");
  });

  it("Slack: a webhook with a joined -X and --data", () => {
    expect(
      parsed(
        `curl -XPOST -H 'Content-type: application/json' --data '{"text":"Hello, World!"}' https://hooks.slack.com/services/T0/B0/X`,
      ).input,
    ).toEqual({
      method: "POST",
      url: "https://hooks.slack.com/services/T0/B0/X",
      body: { text: "Hello, World!" },
    });
  });

  it("Chrome: $'…' with escapes, --data-raw, cookies and headers of the connection", () => {
    const { input, notes } = parsed(`curl 'https://example.com/api/items?page=2' \\
  -H 'accept: */*' \\
  -H 'content-type: application/json' \\
  -b 'session=abc' \\
  -H 'accept-encoding: gzip' \\
  --data-raw $'{"name":"It\\'s \\u00fc","n":1}' \\
  --compressed`);
    expect(input).toEqual({
      method: "POST",
      url: "https://example.com/api/items?page=2",
      headers: { accept: "*/*" },
      body: { name: "It's ü", n: 1 },
    });
    expect(notes).toEqual(["The header Cookie was left out: put its value into a secret, and choose it there"]);
  });

  it("Firefox: GET with -X and combined switches", () => {
    expect(parsed(`curl -sSL -X GET "https://example.com/a?b=c&d=e"`).input).toEqual({
      method: "GET",
      url: "https://example.com/a?b=c&d=e",
    });
  });

  it("Elasticsearch: PUT with JSON of double quotes, escaped, and no scheme", () => {
    expect(
      parsed(
        `curl -X PUT localhost:9200/customer/_doc/1 -H "Content-Type: application/json" -d "{\\"name\\": \\"Ann\\"}"`,
      ).input,
    ).toEqual({ method: "PUT", url: "http://localhost:9200/customer/_doc/1", body: { name: "Ann" } });
  });

  it("--json sets what it asks for, and is joined when it is given twice", () => {
    expect(parsed(`curl --json '{"a":' --json '1}' https://example.com`).input).toEqual({
      method: "POST",
      url: "https://example.com",
      headers: { Accept: "application/json" },
      body: { a: 1 },
    });
  });

  it("-G puts the data into the URL, encoded where asked", () => {
    expect(
      parsed(`curl -G https://example.com/search?x=1 --data-urlencode "q=hello world&more" -d lang=de`).input,
    ).toEqual({ method: "GET", url: "https://example.com/search?x=1&q=hello+world%26more&lang=de" });
  });

  it("Twilio: --data-urlencode as a form", () => {
    expect(
      parsed(
        `curl -X POST https://api.twilio.com/Messages.json --data-urlencode "Body=Hi there" --data-urlencode "To=+49170"`,
      ).input,
    ).toMatchObject({ bodyType: "text", body: "Body=Hi+there&To=%2B49170" });
  });

  it("DELETE, HEAD, a time limit, an agent and a referer", () => {
    expect(parsed(`curl -X DELETE 'https://example.com/x' -m 5 -A "my agent" -e https://ref.example`).input).toEqual({
      method: "DELETE",
      url: "https://example.com/x",
      headers: { "User-Agent": "my agent", Referer: "https://ref.example" },
      timeoutMs: 5_000,
    });
    expect(parsed("curl -I https://example.com").input).toEqual({ method: "HEAD", url: "https://example.com" });
  });

  it("XML stays text with its type", () => {
    expect(parsed(`curl https://example.com/soap -H 'Content-Type: text/xml' --data-binary '<a>\n</a>'`).input).toEqual(
      {
        method: "POST",
        url: "https://example.com/soap",
        headers: { "Content-Type": "text/xml" },
        bodyType: "text",
        body: "<a>\n</a>",
      },
    );
  });

  it("leaves out what follows, and says so", () => {
    const { input, notes } = parsed("curl -s https://example.com/a.json | jq '.items[0]'");
    expect(input.url).toBe("https://example.com/a.json");
    expect(notes).toEqual(["What follows the command was left out: | jq '.items[0]'"]);
  });
});

describe("what a curl command cannot say to a step", () => {
  it.each([
    ["wget https://example.com", "This is no curl command"],
    ["", "This is no curl command"],
    ["curl -H 'a: b'", "The command has no URL"],
    ["curl 'https://example.com", "A quote is not closed: the command is cut off"],
    ["curl https://a.example https://b.example", "The command calls several URLs: make a step of each"],
    ["curl ftp://example.com/a", "Only http and https can be called"],
    [
      "curl https://example.com -F file=@a.png",
      "The command sends a file or a form of several parts, which the step cannot",
    ],
    ["curl https://example.com -d @body.json", "The body is read from the file body.json: paste its text instead"],
    ["curl -X PURGE https://example.com", "The method PURGE is not known to the step"],
    ["curl https://example.com -X", "-X lacks its value"],
    [
      'curl "https://example.com" ^\n -H "a: b"',
      "This is written for the command prompt of Windows: copy it “as cURL (bash)”",
    ],
  ])("%s: %s", (text, reason) => {
    expect(parseCurl(text)).toEqual({ ok: false, reason });
  });

  it("keeps texts that look like expressions as they stand", () => {
    expect(parsed(`curl https://example.com/%7B -H 'X-Path: $.a' --json '{"t": "{{ name }}"}'`).input).toMatchObject({
      headers: { "X-Path": { $literal: "$.a" } },
      body: { $literal: { t: "{{ name }}" } },
    });
  });

  it("keeps a number as text that JSON would round", () => {
    expect(parsed(`curl https://example.com --json '{"id": 12345678901234567890}'`).input).toMatchObject({
      bodyType: "text",
      body: '{"id": 12345678901234567890}',
      headers: { "Content-Type": "application/json" },
    });
  });

  it("runs nothing: commands and variables stay as they are written", () => {
    const [command, id, home] = ["$(rm -rf /)", "`id`", "$" + "{HOME}"];
    expect(readShellWords(`curl "${command}" ${id} ${home} '$(no)'`)).toEqual({
      words: ["curl", command, id, home, "$(no)"],
      unfilled: [command, id, home],
      rest: null,
    });
  });
});
