import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenAiOven, startOpenAiOven } from "./answers/testing/openai-oven.ts";

let server: ModelServer;
let oven: OpenAiOven;
let replies: ModelReply[] = [];
let count = 0;

beforeAll(async () => {
  server = await startModelServer(() => replies.shift() ?? { status: 400, message: "no reply left" }, {
    models: ["house-model"],
  });
  oven = await startOpenAiOven(server);
});
beforeEach(() => {
  server.requests.length = 0;
  replies = [];
});
afterAll(async () => {
  await oven.stop();
  await server.close();
});

async function newAgent(more: object = {}, key?: string): Promise<string> {
  count += 1;
  const body = { name: `Helper ${count}`, model: "openai:house", systemPrompt: "Be short.", ...more };
  const made = await oven.call("POST", "agents", body, key === undefined ? {} : { key });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return `agent:${made.body.slug}`;
}

async function newWorkflow(definition: object): Promise<string> {
  count += 1;
  const made = await oven.call("POST", "workflows", { name: `Flow ${count}`, definition });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return `workflow:${made.body.slug}`;
}

const echo = (needed: string[] = []) => ({
  payloadSchema: {
    type: "object",
    properties: {
      question: { type: "string" },
      messages: { type: "array" },
      ...Object.fromEntries(needed.map((name) => [name, { type: "string" }])),
    },
    required: ["question", ...needed],
    additionalProperties: false,
  },
  initial: "say",
  states: {
    say: {
      invoke: {
        src: "core.transform",
        input: { mapping: { reply: "{{ $.trigger.question }} after {{ $.trigger.messages[0].content }}" } },
        onDone: "done",
      },
    },
    done: { type: "final", output: "$.say_output" },
  },
});

const user = (content: unknown) => ({ role: "user", content });

/** The data of a stream's frames. */
async function framesOf(response: Response) {
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => (line === "data: [DONE]" ? line : JSON.parse(line.slice("data: ".length))));
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
async function bodyOf(response: Promise<Response>): Promise<any> {
  return (await response).json();
}

/** Its chunks as one text. */
async function streamedText(response: Response): Promise<string> {
  const frames = await framesOf(response);
  return frames.map((frame) => frame.choices?.[0]?.delta.content ?? "").join("");
}

async function errorOf(response: Response) {
  const body = await bodyOf(Promise.resolve(response));
  expect(Object.keys(body)).toEqual(["error"]);
  expect(Object.keys(body.error).sort()).toEqual(["code", "message", "param", "type"]);
  return { status: response.status, ...body.error };
}

describe("models", () => {
  it("are the agents and workflows that the key may use, and that can be asked as they are", async () => {
    const agent = await newAgent({ description: "Helps" });
    const disabled = await newAgent({ enabled: false });
    const workflow = await newWorkflow(echo());
    const needing = await newWorkflow(echo(["orderId"]));
    const list = await bodyOf(oven.ask("models"));
    expect(list.object).toBe("list");
    const ids = list.data.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining([agent, workflow]));
    expect(ids).not.toContain(disabled);
    expect(ids).not.toContain(needing);
    const one = await oven.ask(`models/${encodeURIComponent(agent)}`);
    expect(await one.json()).toEqual({
      id: agent,
      object: "model",
      created: expect.any(Number),
      owned_by: "oven",
      name: expect.stringContaining("Helper"),
      description: "Helps",
    });
  });

  it("of another tenant do not exist", async () => {
    const agent = await newAgent();
    const stranger = await oven.keyFor("owner", { tenantId: 2 });
    const list = await bodyOf(oven.ask("models", undefined, { key: stranger }));
    expect(list.data.map(({ id }: { id: string }) => id)).not.toContain(agent);
    const found = await errorOf(await oven.ask(`models/${agent}`, undefined, { key: stranger }));
    expect(found).toMatchObject({ status: 404, code: "model_not_found", param: "model" });
    const asked = await errorOf(
      await oven.ask("chat/completions", { model: agent, messages: [user("Hi")] }, { key: stranger }),
    );
    expect(asked).toMatchObject({ status: 404, code: "model_not_found", type: "invalid_request_error" });
    expect(server.requests).toEqual([]);
  });
});

describe("chat completions", () => {
  it("asks an agent with the conversation of the request, and answers its words and tokens", async () => {
    const model = await newAgent();
    replies = [{ text: "Still there.", usage: { input: 40, output: 3, cached: 8, reasoning: 1 } }];
    const response = await oven.ask("chat/completions", {
      model,
      temperature: 0.3,
      messages: [
        { role: "system", content: "Answer in French." },
        user("Is it there?"),
        { role: "assistant", content: "It is." },
        user([
          { type: "text", text: "And " },
          { type: "text", text: "now?" },
        ]),
      ],
    });
    expect(response.status).toBe(200);
    const body = await response.json();
    expect(body).toEqual({
      id: expect.stringMatching(/^chatcmpl-\d+$/),
      object: "chat.completion",
      created: expect.any(Number),
      model,
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Still there.", refusal: null },
          finish_reason: "stop",
          logprobs: null,
        },
      ],
      usage: {
        prompt_tokens: 40,
        completion_tokens: 3,
        total_tokens: 43,
        prompt_tokens_details: { cached_tokens: 8 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
      metadata: { oven_run_id: expect.stringMatching(/^\d+$/), status: "completed" },
    });
    // A caller's instructions are words of the user; those of the author stand.
    expect(server.requests[0]?.body.messages).toEqual([
      { role: "system", content: expect.stringContaining("Be short.") },
      { role: "user", content: "Is it there?" },
      { role: "assistant", content: "It is." },
      { role: "user", content: "Answer in French.\n\nAnd now?" },
    ]);
  });

  it("streams the same in chunks, as it is written", async () => {
    const model = await newAgent();
    const messages = [user("Count")];
    const reply = { text: "One two three four", usage: { input: 5, output: 4 } };
    replies = [reply, reply];
    const whole = await bodyOf(oven.ask("chat/completions", { model, messages }));
    const frames = await framesOf(
      await oven.ask("chat/completions", { model, messages, stream: true, stream_options: { include_usage: true } }),
    );
    expect(frames.at(-1)).toBe("data: [DONE]");
    const chunks = frames.slice(0, -1);
    expect(chunks.every(({ object, id }) => object === "chat.completion.chunk" && id === chunks[0].id)).toBe(true);
    expect(chunks[0].choices[0].delta.role).toBe("assistant");
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(
      whole.choices[0].message.content,
    );
    expect(chunks.at(-2).choices[0].finish_reason).toBe("stop");
    expect(chunks.at(-2).metadata.status).toBe("completed");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it("shows the first words while the model still writes", async () => {
    const model = await newAgent();
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    replies = [{ text: "One two three four", gate: { after: 3, opened } }];
    const response = await oven.ask("chat/completions", { model, messages: [user("Count")], stream: true });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    while (!seen.includes("One ")) seen += (await reader?.read())?.value ?? "";
    expect(seen).not.toContain("four");
    open();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) break;
      seen += value;
    }
    expect(seen).toContain("four");
    expect(seen.trimEnd().endsWith("data: [DONE]")).toBe(true);
  });

  it("keeps what is said before a call of a tool as a paragraph of the stream; the answer alone is the answer", async () => {
    const model = await newAgent({ toolBindings: ["shop.get"] });
    const script = (): ModelReply[] => [
      { text: "I look.", toolCalls: [{ id: "a", name: "shop_get", arguments: { id: 7 } }] },
      { text: "It is there." },
    ];
    replies = script();
    const whole = await bodyOf(oven.ask("chat/completions", { model, messages: [user("?")] }));
    expect(whole.choices[0].message.content).toBe("It is there.");
    replies = script();
    const streamed = await oven.ask("chat/completions", { model, messages: [user("?")], stream: true });
    expect(await streamedText(streamed)).toBe("I look.\n\nIt is there.");
  });

  it("asks a workflow through its own fields, with parameters beside", async () => {
    const messages = [user("one"), { role: "assistant", content: "two" }, user("three")];
    const model = await newWorkflow(echo());
    const plain = await bodyOf(oven.ask("chat/completions", { model, messages }));
    expect(plain.choices[0].message.content).toBe("three after one");
    const stream = await oven.ask("chat/completions", { model, messages, stream: true });
    expect(await streamedText(stream)).toBe("three after one");
    const needing = await newWorkflow(echo(["orderId"]));
    const refused = await errorOf(await oven.ask("chat/completions", { model: needing, messages }));
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining("`orderId`") });
    const oven_ = { parameters: { orderId: "8841" } };
    const given = await oven.ask("chat/completions", { model: needing, messages, oven: oven_ });
    expect(given.status).toBe(200);
  });

  it("is one run for one Idempotency-Key", async () => {
    const model = await newAgent();
    replies = [{ text: "Once." }];
    const options = { headers: { "idempotency-key": `key-${model}` } };
    const body = { model, messages: [user("Hi")] };
    const first = await bodyOf(oven.ask("chat/completions", body, options));
    const second = await bodyOf(oven.ask("chat/completions", body, options));
    expect(second.metadata).toEqual(first.metadata);
    expect(server.requests).toHaveLength(1);
    const other = await oven.ask("chat/completions", { model, messages: [user("Other")] }, options);
    expect(other.headers.get("x-should-retry")).toBe("false");
    expect(await errorOf(other)).toMatchObject({ status: 409, code: "idempotency_key_reused" });
  });

  it("goes on when the client of a stream is gone", async () => {
    const model = await newAgent();
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    replies = [{ text: "One two three four", gate: { after: 3, opened } }];
    const response = await oven.ask("chat/completions", { model, messages: [user("Count")], stream: true });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await reader?.read())?.value ?? "";
    const { metadata } = JSON.parse(first.slice("data: ".length));
    await reader?.cancel();
    open();
    const later = await oven.ask("chat/completions", { model, messages: [user("Count")], metadata });
    expect(await later.json()).toMatchObject({
      choices: [{ message: { content: "One two three four" } }],
      metadata: { ...metadata, status: "completed" },
    });
    expect(server.requests).toHaveLength(1);
  });
});

describe("a run that waits for a person", () => {
  const PAYS: ModelReply[] = [
    { text: "I pay.", toolCalls: [{ id: "p", name: "shop_pay", arguments: { id: 9 } }] },
    { text: "Paid." },
  ];

  async function approve(reviewId: string): Promise<void> {
    const { body: review } = await oven.call("GET", `reviews/${reviewId}`);
    const body = { action: "approve", digest: review.digest };
    expect((await oven.call("POST", `reviews/${reviewId}/decide`, body)).status).toBe(200);
  }

  const ended = (run: string) =>
    expect
      .poll(async () => (await oven.call("GET", `agent-workflow-executions/${run}`)).body.status, { interval: 20 })
      .toBe("completed");

  it("is answered with where it is decided, and by its handle with the result", async () => {
    const model = await newAgent({ toolBindings: ["shop.pay"] });
    replies = [...PAYS];
    const body = { model, messages: [user("Pay 9")] };
    const paused = await bodyOf(oven.ask("chat/completions", body));
    const { oven_run_id: run, oven_review_id: review } = paused.metadata;
    expect(paused.metadata.status).toBe("paused");
    expect(paused.choices[0]).toMatchObject({ finish_reason: "stop" });
    expect(paused.choices[0].message.content).toContain(`http://localhost:3000/reviews/${review}`);
    const handle = { ...body, metadata: { oven_run_id: run } };
    const still = await bodyOf(oven.ask("chat/completions", handle));
    expect(still).toEqual({ ...paused, created: still.created });
    const streamed = await oven.ask("chat/completions", { ...handle, stream: true });
    expect(await streamedText(streamed)).toBe(`I pay.\n\n${paused.choices[0].message.content}`);
    expect(oven.paid).toEqual([]);
    await approve(review);
    const done = await bodyOf(oven.ask("chat/completions", handle));
    expect(done).toMatchObject({
      choices: [{ message: { content: "Paid." } }],
      metadata: { oven_run_id: run, status: "completed" },
    });
    expect(done.id).not.toBe(paused.id);
    expect(await streamedText(await oven.ask("chat/completions", { ...handle, stream: true }))).toBe("Paid.");
    expect(oven.paid).toEqual([{ id: 9 }]);
  });

  it("is one whose result is shown once, also right after the decision", async () => {
    const model = await newAgent({ toolBindings: ["shop.pay"] });
    replies = [...PAYS, { text: "Nothing." }];
    const paused = await bodyOf(oven.ask("responses", { model, input: "Pay 9" }));
    await approve(paused.metadata.oven_review_id);
    const done = await bodyOf(oven.ask("responses", { model, input: "And?", previous_response_id: paused.id }));
    expect(done).toMatchObject({ id: `${paused.id}_1`, output: [{ content: [{ text: "Paid." }] }] });
    const onward = await bodyOf(oven.ask("responses", { model, input: "Else?", previous_response_id: done.id }));
    expect(onward.output[0].content[0].text).toBe("Nothing.");
  });

  it("is nobody else's to ask for", async () => {
    const model = await newAgent();
    const [anna, bert] = [await oven.keyFor("operator"), await oven.keyFor("operator")];
    replies = [{ text: "For Anna." }];
    const body = { model, messages: [user("Hi")] };
    const { metadata } = await bodyOf(oven.ask("chat/completions", body, { key: anna }));
    const handle = { ...body, metadata: { oven_run_id: metadata.oven_run_id } };
    expect((await oven.ask("chat/completions", handle, { key: anna })).status).toBe(200);
    expect(await errorOf(await oven.ask("chat/completions", handle, { key: bert }))).toMatchObject({ status: 404 });
    const own = await oven.ask(`responses/resp_${metadata.oven_run_id}`, undefined, { key: anna });
    expect(await own.json()).toMatchObject({ model, output: [{ content: [{ text: "For Anna." }] }] });
    expect((await oven.ask(`responses/resp_${metadata.oven_run_id}`, undefined, { key: bert })).status).toBe(404);
    const stranger = await oven.keyFor("owner", { tenantId: 2 });
    expect((await oven.ask(`responses/resp_${metadata.oven_run_id}`, undefined, { key: stranger })).status).toBe(404);
    const other = { ...handle, model: await newAgent() };
    expect(await errorOf(await oven.ask("chat/completions", other, { key: anna }))).toMatchObject({ status: 404 });
  });

  it("of a workflow is its starter's, and theirs who may read runs", async () => {
    const model = await newWorkflow(echo());
    const narrow = { permissions: { workflows: ["execute"] } };
    const [anna, bert] = [await oven.keyFor("operator", narrow), await oven.keyFor("operator", narrow)];
    const carl = await oven.keyFor("operator");
    const body = { model, messages: [user("Hi")] };
    const { metadata } = await bodyOf(oven.ask("chat/completions", body, { key: anna }));
    const status = async (key: string) => (await oven.ask("chat/completions", { ...body, metadata }, { key })).status;
    expect([await status(anna), await status(bert), await status(carl)]).toEqual([200, 404, 200]);
  });

  it("is an incomplete response, whose next one is the outcome, whose next one goes on", async () => {
    const model = await newAgent({ toolBindings: ["shop.pay"] });
    replies = [...PAYS, { text: "Nothing." }];
    const paused = await bodyOf(oven.ask("responses", { model, input: "Pay 9" }));
    expect(paused).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "review_required" },
      metadata: { status: "paused" },
    });
    const next = { model, input: "And?", previous_response_id: paused.id };
    const still = await bodyOf(oven.ask("responses", next));
    expect(still).toMatchObject({ id: paused.id, status: "incomplete", output: paused.output });
    await approve(paused.metadata.oven_review_id);
    // The client of a run that has ended by now has not seen its result, either.
    await ended(paused.metadata.oven_run_id);
    const done = await bodyOf(oven.ask("responses", next));
    expect(done).toMatchObject({
      status: "completed",
      output: [{ content: [{ text: "Paid." }] }],
      metadata: { oven_run_id: paused.metadata.oven_run_id },
    });
    const onward = await bodyOf(oven.ask("responses", { model, input: "What else?", previous_response_id: done.id }));
    expect(onward.metadata.oven_run_id).not.toBe(paused.metadata.oven_run_id);
    expect(server.requests.at(-1)?.body.messages).toEqual([
      expect.objectContaining({ role: "system" }),
      user("Pay 9"),
      { role: "assistant", content: "Paid." },
      user("What else?"),
    ]);
  });
});

describe("responses", () => {
  it("go on from any earlier one, also when others followed it", async () => {
    const model = await newAgent();
    replies = [{ text: "A1" }, { text: "A2" }, { text: "A3" }];
    const say = async (input: string, previous?: string) =>
      bodyOf(oven.ask("responses", { model, input, ...(previous && { previous_response_id: previous }) }));
    const first = await say("Q1");
    await say("Q2", first.id);
    await say("Q3", first.id);
    const said = server.requests.at(-1)?.body.messages;
    expect(said).toEqual([
      expect.objectContaining({ role: "system" }),
      user("Q1"),
      { role: "assistant", content: "A1" },
      user("Q3"),
    ]);
  });

  it("go on with a workflow, which has no conversation", async () => {
    const model = await newWorkflow(echo());
    const first = await bodyOf(oven.ask("responses", { model, input: "one" }));
    const second = await bodyOf(oven.ask("responses", { model, input: "two", previous_response_id: first.id }));
    expect(second.output[0].content[0].text).toBe("two after one");
  });

  it("that fail say why, and are no error of the request", async () => {
    const model = await newAgent();
    replies = [{ status: 400, message: "Too much" }];
    const failed = await oven.ask("responses", { model, input: "Hi" });
    expect(failed.status).toBe(200);
    expect(await failed.json()).toMatchObject({
      status: "failed",
      error: { code: "model_refused_request", message: expect.stringContaining("Too much") },
      output: [],
    });
    replies = [{ status: 400, message: "Too much" }];
    const events = await framesOf(await oven.ask("responses", { model, input: "Hi", stream: true }));
    expect(events.at(-1)).toMatchObject({ type: "response.failed", response: { status: "failed" } });
  });
});

describe("errors", () => {
  it("have OpenAI's shape, whoever throws them", async () => {
    const model = await newAgent();
    const ask = async (body: object, key?: string) =>
      errorOf(await oven.ask("chat/completions", body, key === undefined ? {} : { key }));
    const messages = [user("Hi")];
    expect(await ask({ model, messages }, "no-such-key")).toMatchObject({ status: 401, code: "invalid_api_key" });
    const reader = await oven.keyFor("viewer");
    expect(await ask({ model, messages }, reader)).toMatchObject({
      status: 403,
      type: "permission_error",
      code: "insufficient_permissions",
      message: expect.stringContaining("agents.invoke"),
    });
    expect(await ask({ model: "gpt-5", messages })).toMatchObject({ status: 404, code: "model_not_found" });
    expect(await ask({ model: "agent:none", messages })).toMatchObject({ status: 404, code: "model_not_found" });
    expect(await ask({ model, messages: [] })).toMatchObject({ status: 400, param: "messages" });
    expect(await ask({ model, messages: [{ role: "assistant", content: "Hi" }] })).toMatchObject({ status: 400 });
    expect(await ask({ model, messages, tools: [{ type: "function", function: { name: "f" } }] })).toMatchObject({
      status: 400,
      code: "unsupported_parameter",
      param: "tools",
    });
    const image = user([{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }]);
    expect(await ask({ model, messages: [image] })).toMatchObject({
      code: "unsupported_parameter",
      param: "messages[0].content[0]",
    });
    expect(await errorOf(await oven.ask("responses/resp_none"))).toMatchObject({ status: 404, code: "not_found" });
    expect(await errorOf(await oven.ask("embeddings", { model, input: "Hi" }))).toMatchObject({ status: 404 });
    expect(server.requests).toEqual([]);
  });

  it("say when to come back", async () => {
    const model = await newWorkflow(echo());
    const { body } = await oven.call("GET", `workflows/${model.slice("workflow:".length)}`);
    const scopeId = `${body.id}`;
    const limit = { moduleName: "module-workflows", key: "MAX_STARTS_PER_MINUTE", value: 1, scopeId };
    const set = await oven.call("POST", "module-configs", limit);
    expect(set.status, JSON.stringify(set.body)).toBeLessThan(300);
    const ask = () => oven.ask("chat/completions", { model, messages: [user("Hi")] });
    expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.has("x-should-retry")).toBe(false);
    expect(await errorOf(refused)).toMatchObject({
      status: 429,
      type: "rate_limit_error",
      code: "rate_limit_exceeded",
    });
  });

  it("of a run are not answered as errors of the server, after which clients would start it again", async () => {
    const model = await newAgent();
    replies = [{ status: 400, message: "Too much" }];
    const failed = await oven.ask("chat/completions", { model, messages: [user("Hi")] });
    expect(failed.headers.get("x-should-retry")).toBe("false");
    expect(await errorOf(failed)).toMatchObject({ status: 400, type: "run_failed", code: "model_refused_request" });
    replies = [{ status: 400, message: "Too much" }];
    const frames = await framesOf(await oven.ask("chat/completions", { model, messages: [user("Hi")], stream: true }));
    expect(frames.at(-2)).toMatchObject({ error: { type: "run_failed" } });
  });
});
