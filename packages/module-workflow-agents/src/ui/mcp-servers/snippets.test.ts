import { describe, expect, it } from "vitest";
import { KEY_PLACEHOLDER, toSampleArguments, toSnippets } from "./snippets.ts";

const SERVER = {
  slug: "support-reply",
  url: "http://localhost:3000/api/mcp/support-reply",
  toolDefinitions: [
    {
      name: "support_reply",
      title: "Support reply",
      description: "",
      inputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
      outputSchema: {},
    },
  ],
};

function snippet(id: string): string {
  const found = toSnippets(SERVER).find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`no snippet ${id}`);
  return found.text;
}

describe("the snippets of an MCP server", () => {
  it("configure a client with the address and the key", () => {
    expect(JSON.parse(snippet("config"))).toEqual({
      mcpServers: {
        "support-reply": { type: "http", url: SERVER.url, headers: { Authorization: `Bearer ${KEY_PLACEHOLDER}` } },
      },
    });
  });

  it("initialize by curl with a valid request", () => {
    const body = /-d '(.*)'$/.exec(snippet("curl"))?.[1] ?? "";
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: "2.0", method: "initialize" });
    expect(snippet("curl")).toContain("text/event-stream");
  });

  it("call the workflow's tool with arguments of its schema", () => {
    expect(snippet("typescript")).toContain('callTool({ name: "support_reply", arguments: {"message":"…"} })');
  });

  it("all carry the place of the key", () => {
    for (const { text } of toSnippets(SERVER)) expect(text).toContain(KEY_PLACEHOLDER);
  });
});

it("samples every type of a required argument", () => {
  const properties = {
    a: { type: "integer" },
    b: { type: "boolean" },
    c: { enum: ["x"] },
    d: { type: "array" },
    e: { type: "object" },
    f: { type: "string" },
  };
  expect(toSampleArguments({ properties, required: Object.keys(properties) })).toEqual({
    a: 1,
    b: true,
    c: "x",
    d: [],
    e: {},
    f: "…",
  });
  expect(toSampleArguments({})).toEqual({});
});
