import { expect, it } from "vitest";
import { rewriteJson } from "./rewrite-json.ts";

const loud = (text: string) => text.toUpperCase();

function answer(chunks: string[], type: string): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  return new Response(body, { status: 201, headers: { "content-type": type, "content-length": "7", "x-own": "a" } });
}

it("rewrites a body of JSON as a whole", async () => {
  const rewritten = await rewriteJson(answer(['{"a"', ':"b"}'], "application/json; charset=utf-8"), loud);
  expect(await rewritten.text()).toBe('{"A":"B"}');
  expect([rewritten.status, rewritten.headers.get("x-own"), rewritten.headers.get("content-length")]).toEqual([
    201,
    "a",
    null,
  ]);
});

it("rewrites each line of data of a stream, wherever its pieces were cut", async () => {
  const text = 'event: message\nid: a\ndata: {"a":"b"}\r\n\r\n: note\ndata:{"c":1}\n\ndata:\n\ndata: last';
  const expected = 'event: message\nid: a\ndata: {"A":"B"}\r\n\r\n: note\ndata:{"C":1}\n\ndata:\n\ndata: LAST';
  for (const size of [1, 2, 3, 7, 1_000]) {
    const chunks = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
    const rewritten = await rewriteJson(answer(chunks, "text/event-stream"), loud);
    expect(await rewritten.text(), String(size)).toBe(expected);
  }
});

it("leaves everything else alone", async () => {
  for (const type of ["text/plain", "image/png", ""]) {
    const given = answer(["data: a"], type);
    expect(await rewriteJson(given, loud)).toBe(given);
  }
});
