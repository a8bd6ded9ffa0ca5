import { afterEach, expect, test } from "vitest";
import type { ModelScript } from "./model-reply.ts";
import { type ModelServer, startModelServer } from "./start-model-server.ts";

let server: ModelServer;

afterEach(() => server.close());

async function ask(script: ModelScript, body: object): Promise<Response> {
  server = await startModelServer(script);
  return fetch(`${server.url}/chat/completions`, { method: "POST", body: JSON.stringify(body) });
}

test("a reply without streaming has the text, the parallel tool calls and the usage", async () => {
  const toolCalls = [
    { name: "orders_get", arguments: { id: 1 } },
    { name: "orders_policy", rawArguments: "{not json" },
  ];
  const response = await ask([{ text: "Wait.", toolCalls, usage: { input: 3, output: 2, cached: 1 } }], { model: "m" });
  const body = await response.json();
  expect(body).toMatchObject({
    choices: [
      {
        message: {
          content: "Wait.",
          tool_calls: [{ function: { arguments: '{"id":1}' } }, { function: { arguments: "{not json" } }],
        },
        finish_reason: "tool_calls",
      },
    ],
    usage: { prompt_tokens: 3, total_tokens: 5, prompt_tokens_details: { cached_tokens: 1 } },
  });
});

test("a streamed reply sends words as chunks, then the reason and DONE", async () => {
  const text = await (await ask([{ text: "One two" }], { model: "m", stream: true })).text();
  const lines = text.split("\n\n").filter((line) => line !== "");
  expect(lines.at(-1)).toBe("data: [DONE]");
  const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice("data: ".length)));
  expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? null)).toEqual(["", "One ", "two", null, null]);
  expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason ?? null)).toEqual([null, null, null, "stop", null]);
});

test("a status reply carries Retry-After", async () => {
  const response = await ask([{ status: 429, retryAfter: 2, message: "Slow down" }], {});
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe("2");
  expect(await response.json()).toMatchObject({ error: { message: "Slow down" } });
});

test("a broken stream ends in a network error after the chunks before the cut", async () => {
  const response = await ask([{ text: "One two three", breakAfter: 2 }], { stream: true });
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value)).toContain("chat.completion.chunk");
  await expect(
    (async () => {
      while (!(await reader?.read())?.done);
    })(),
  ).rejects.toThrow();
});

test("a stalled reply is recorded as aborted once the client goes away", async () => {
  server = await startModelServer([{ text: "One two", stallAfter: 1 }]);
  const controller = new AbortController();
  const init = { method: "POST", body: JSON.stringify({ stream: true }), signal: controller.signal };
  const response = await fetch(`${server.url}/chat/completions`, init);
  await response.body?.getReader().read();
  controller.abort();
  await expect.poll(() => server.requests[0]?.aborted).toBe(true);
});

test("a script that has run out answers 500, and bodies are recorded in order", async () => {
  const response = await ask([{ text: "only" }], { model: "a" });
  await response.text();
  const second = await fetch(`${server.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "b" }),
  });
  expect(second.status).toBe(500);
  expect(server.requests.map((request) => request.body.model)).toEqual(["a", "b"]);
  expect(await (await fetch(`${server.url}/models`)).json()).toMatchObject({ data: [{ id: "scripted-model" }] });
});
