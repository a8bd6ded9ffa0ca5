import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { statesOf } from "../../importing/testing/read-imports.ts";
import { app, at, chain, end, start } from "./testing/dify-app.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const row = (...nodes: JsonObject[]): JsonObject => app(nodes, chain(...nodes.map(({ id }) => String(id))));

describe("a tool of Dify that is known", () => {
  const clock = (format: string, timezone: string): JsonObject =>
    at("clock", {
      ...{ type: "tool", provider_id: "time", provider_name: "time", tool_name: "current_time" },
      tool_configurations: { format, timezone: { type: "constant", value: timezone } },
    });

  it("writes the time as strftime does, in its zone", async () => {
    const format = "%Y-%m-%dT%H:%M:%S|%y %I %p %j %A %a %B %b %%";
    const before = Date.now();
    const { output, error } = await story.run(
      row(start(), clock(format, "Asia/Kolkata"), end("end", ["t", "clock", "text"])),
      {},
    );
    expect(error).toBeNull();
    const [local = "", words = ""] = String(output.t).split("|");
    const instant = Date.parse(`${local}+05:30`);
    expect(instant).toBeGreaterThanOrEqual(before - 1_000);
    expect(instant).toBeLessThanOrEqual(Date.now() + 1_000);
    const there = new Date(`${local}Z`);
    const part = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ...options }).format(there);
    const hour = there.getUTCHours();
    const day = Math.floor((there.getTime() - Date.UTC(there.getUTCFullYear(), 0, 0)) / 86_400_000);
    const expected = [
      ...[local.slice(2, 4), String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, "0"), hour < 12 ? "AM" : "PM"],
      ...[String(day).padStart(3, "0"), part({ weekday: "long" }), part({ weekday: "short" })],
      ...[part({ month: "long" }), part({ month: "short" }), "%"],
    ];
    expect(words).toBe(expected.join(" "));
  });

  it("asks Jina for a page", async () => {
    const reader = at("read", {
      ...{ type: "tool", provider_id: "jina", provider_name: "jina", tool_name: "jina_reader" },
      tool_parameters: { url: { type: "mixed", value: "https://{{#start.host#}}/a" } },
      tool_configurations: { image_caption: 1, no_cache: 0, target_selector: "#main", proxy_server: null },
    });
    const host = start({ variable: "host", type: "text-input", required: true });
    const draft = await readForeign(JSON.stringify(row(host, reader, end("end", ["t", "read", "text"]))));
    const { read_request: request, read } = statesOf(draft);
    expect(request?.invoke).toMatchObject({
      src: "core.http",
      input: {
        url: "https://r.jina.ai/https://{{ $.trigger.host }}/a",
        headers: { Accept: "application/json", "X-With-Generated-Alt": "true", "X-Target-Selector": "#main" },
      },
    });
    expect(read?.invoke?.input).toMatchObject({ inputs: { body: "$.read_request_output.body" } });
  });
});

describe("a node of Dify with default values", () => {
  const calc = (code: string): JsonObject =>
    at("calc", {
      ...{ type: "code", code_language: "python3", code, error_strategy: "default-value" },
      variables: [{ variable: "n", value_selector: ["start", "n"] }],
      default_value: [
        { key: "text", type: "string", value: "none" },
        { key: "list", type: "array[number]", value: "[1, 2]" },
        { key: "map", type: "object", value: '{"a": 1}' },
      ],
    });
  const document = (code: string): JsonObject =>
    row(
      start({ variable: "n", type: "number", required: true }),
      calc(code),
      end("end", ["text", "calc", "text"], ["list", "calc", "list"], ["map", "calc", "map"]),
    );

  it("goes on with them when it fails, and with its own when it does not", async () => {
    const code = "def main(n):\n    return {'text': str(10 // n), 'list': [], 'map': {}}";
    const good = await story.run(document(code), { n: 5 });
    expect([good.status, good.output]).toEqual(["completed", { text: "2", list: [], map: {} }]);
    const bad = await story.run(document(code), { n: 0 });
    expect([bad.status, bad.output]).toEqual(["completed", { text: "none", list: [1, 2], map: { a: 1 } }]);
  });

  it("of a request goes on with them, too", async () => {
    const ask = at("ask", {
      ...{ type: "http-request", method: "get", url: `${story.shop.origin}/`, error_strategy: "default-value" },
      default_value: [
        { key: "status_code", type: "number", value: 0 },
        { key: "body", type: "string", value: "nothing" },
      ],
    });
    story.shop.statuses = [404];
    const { status, output } = await story.run(
      row(start(), ask, end("end", ["s", "ask", "status_code"], ["b", "ask", "body"])),
      {},
    );
    expect([status, output]).toEqual(["completed", { s: 0, b: "nothing" }]);
  });
});
