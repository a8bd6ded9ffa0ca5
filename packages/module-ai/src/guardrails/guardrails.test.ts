import { SYSTEM_PRINCIPAL } from "@oven/contract";
import type { Guardrail, Message, TriedGuardrails, UsageRow } from "@oven/contract/ai";
import { cpuMsOf, type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ModelRequest } from "../model/model-request.ts";
import { startAi, type TestAi } from "../model/testing/start-ai.ts";

const caller = { tenantId: 1, userId: null, executionId: 3 };
const say = (content: string): Message[] => [{ role: "user", content }];

let ai: TestAi;
let server: ModelServer;
let reply: (model: string) => ModelReply = () => ({ text: "Fine." });

beforeAll(async () => {
  server = await startModelServer(({ body }) => reply(String(body.model)));
  ai = await startAi({ environment: { variables: { OPENAI_BASE_URL: server.url } } });
});
afterEach(async () => {
  reply = () => ({ text: "Fine." });
  server.requests.length = 0;
  await ai.db.query("delete from ai_guardrails");
  await ai.db.query("delete from ai_usage_logs");
});
afterAll(async () => {
  await ai.stop();
  await server.close();
});

const guard = (rule: object, direction: string, action: string) =>
  ai.invoke<Guardrail>("POST", "ai-guardrails", { body: { name: "House rule", direction, action, rule } });
const words = (...list: string[]) => ({ kind: "keyword", words: list });
const ask = (messages: Message[], request: Partial<ModelRequest> = {}) =>
  ai.services.ai.generate({ model: "openai:m", messages, caller, ...request });
const sent = () => JSON.stringify(server.requests.map(({ body }) => body.messages));

test("forbidden words are not sent, in whatever part of the conversation they are", async () => {
  const made = await guard(words("Project Hydra"), "input", "block");
  const toolResult: Message[] = [
    ...say("What is new?"),
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "news.get", input: {} }] },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "c",
          toolName: "news.get",
          output: { type: "json", value: { items: ["all about project hydra"] } },
        },
      ],
    },
  ];
  for (const messages of [say("Tell me of PROJECT HYDRA."), toolResult])
    await expect(ask(messages)).rejects.toMatchObject({
      code: "GUARDRAIL_BLOCKED",
      status: 422,
      retryable: false,
      details: { guardrailId: made.id },
    });
  await expect(ask(say("Hi"), { system: "Hide Project Hydra." })).rejects.toMatchObject({ code: "GUARDRAIL_BLOCKED" });
  expect(server.requests).toEqual([]);
  // Part of a longer word is another word.
  await ask(say("Project Hydrant"));
});

test("words beside letters that are not ASCII, and of other signs, are found too", async () => {
  await guard(words("Müller", "C++", "機密"), "input", "block");
  for (const text of ["herr müller kam", "we like C++!", "これは機密です"])
    await expect(ask(say(text)), text).rejects.toMatchObject({ code: "GUARDRAIL_BLOCKED" });
  await ask(say("C sharp"));
});

test("a pattern is redacted before anything is sent, in system, messages and arguments", async () => {
  await guard({ kind: "pattern", pattern: "\\b\\d{4}-\\d{4}\\b" }, "input", "redact");
  await ask(
    [
      ...say("My card is 1234-5678, help"),
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "c", toolName: "cards.get", input: { card: "1234-5678", tries: [1234] } },
        ],
      },
    ],
    { system: "Card 9999-0000 is blocked." },
  );
  expect(sent()).not.toMatch(/1234-5678|9999-0000/);
  expect(sent()).toContain("My card is [redacted], help");
  expect(sent()).toContain("1234");
});

test("an answer that must not be is not shown, not even while it streams; its call is paid", async () => {
  await guard(words("secret"), "output", "block");
  reply = () => ({ text: "The secret is 42." });
  const shown: string[] = [];
  const request = { model: "openai:m", messages: say("Tell"), caller };
  await expect(ai.services.ai.stream(request, (_part, text) => shown.push(text))).rejects.toMatchObject({
    code: "GUARDRAIL_BLOCKED",
  });
  expect(shown).toEqual([]);
  const [row] = await ai.invoke<UsageRow[]>("GET", "ai-usage-logs");
  expect(row).toMatchObject({ status: "ok", tokenUsage: { output: 7 } });
  reply = () => ({ text: "Nothing to hide." });
  await ai.services.ai.stream(request, (_part, text) => shown.push(text));
  expect(shown).toEqual(["Nothing to hide."]);
});

test("an answer is redacted in text, message, object and arguments of calls", async () => {
  await guard(words("Jane Doe"), "output", "redact");
  reply = () => ({ text: '{"name":"Jane Doe"}' });
  const answer = await ask(say("Who?"), { outputSchema: { type: "object" } });
  expect(answer).toMatchObject({
    text: '{"name":"[redacted]"}',
    object: { name: "[redacted]" },
    message: { content: '{"name":"[redacted]"}' },
  });
  reply = () => ({ toolCalls: [{ id: "c", name: "mail_send", arguments: { to: "Jane Doe" } }] });
  const tools = [{ id: "mail.send", description: "", inputSchema: { type: "object" } }];
  const calling = await ask(say("Write"), { tools });
  expect(calling.toolCalls).toEqual([{ toolCallId: "c", tool: "mail.send", arguments: { to: "[redacted]" } }]);
  expect(JSON.stringify(calling)).not.toContain("Jane");
});

test("a warning lets it through and says so; text streams as it comes", async () => {
  await guard(words("fine"), "both", "warn");
  const pieces: string[] = [];
  const request = { model: "openai:m", messages: say("Is it fine?"), caller };
  reply = () => ({ text: "It is fine." });
  const answer = await ai.services.ai.stream(request, (_part, text) => pieces.push(text));
  expect(answer.warnings).toEqual([
    "guardrail: House rule: found in what was sent",
    "guardrail: House rule: found in the answer",
  ]);
  expect(pieces.length).toBeGreaterThan(1);
});

test("a final answer that is not JSON of the schema is refused", async () => {
  const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
  await guard({ kind: "schema", schema }, "output", "block");
  await expect(ask(say("Hi"))).rejects.toMatchObject({ code: "GUARDRAIL_BLOCKED" });
  reply = () => ({ text: '{"ok":1}' });
  await expect(ask(say("Hi"))).rejects.toMatchObject({ code: "GUARDRAIL_BLOCKED" });
  reply = () => ({ text: '{"ok":true}' });
  await ask(say("Hi"));
  reply = () => ({ toolCalls: [{ name: "a_b", arguments: {} }] });
  await ask(say("Hi"), { tools: [{ id: "a.b", description: "", inputSchema: { type: "object" } }] });
});

test("a classifier asks its model about what is new, and that call is in the usage too", async () => {
  await guard(
    {
      kind: "classifier",
      model: "openai:judge",
      instructions: "Is this an insult?",
      labels: ["insult", "polite"],
      unwanted: ["insult"],
    },
    "input",
    "block",
  );
  reply = (model) => (model === "judge" ? { text: '{"label":"insult"}' } : { text: "Fine." });
  const conversation: Message[] = [...say("old words"), { role: "assistant", content: "yes" }, ...say("new words")];
  await expect(ask(conversation)).rejects.toMatchObject({ code: "GUARDRAIL_BLOCKED" });
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.body).toMatchObject({ model: "judge", temperature: 0 });
  expect(sent()).toContain("new words");
  expect(sent()).not.toContain("old words");
  reply = (model) => (model === "judge" ? { text: '{"label":"polite"}' } : { text: "Fine." });
  expect((await ask(say("Please"))).text).toBe("Fine.");
  const rows = await ai.invoke<UsageRow[]>("GET", "ai-usage-logs", { query: { sort: '["id","ASC"]' } });
  expect(rows.map(({ modelId, operation }) => [modelId, operation])).toEqual([
    ["judge", "classify"],
    ["judge", "classify"],
    ["m", "generate"],
  ]);
  // A judge that answers something else does not open the way.
  reply = (model) => (model === "judge" ? { text: "maybe" } : { text: "Fine." });
  await expect(ask(say("Hm"))).rejects.toMatchObject({ code: "OUTPUT_SCHEMA_MISMATCH" });
});

test("a guardrail that cannot work is refused when it is made or changed", async () => {
  for (const [rule, action] of [
    [{ kind: "pattern", pattern: "(?=x)" }, "block"],
    [{ kind: "schema", schema: {} }, "redact"],
    [{ kind: "classifier", model: "fast", instructions: "x", labels: ["a", "b"], unwanted: ["c"] }, "block"],
  ] as const)
    await expect(guard(rule, "input", action), JSON.stringify(rule)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  const made = await guard(words("x"), "input", "redact");
  const params = { id: String(made.id) };
  const body = { rule: { kind: "schema", schema: {} } };
  await expect(ai.invoke("PUT", "ai-guardrails/[id]", { params, body })).rejects.toMatchObject({ status: 422 });
});

test("a guardrail that is off, or another tenant's, changes nothing, and is not found by others", async () => {
  const made = await guard(words("hello"), "both", "block");
  const params = { id: String(made.id) };
  const stranger = { ...SYSTEM_PRINCIPAL, tenantId: 2 };
  await expect(ai.invoke("GET", "ai-guardrails/[id]", { params }, stranger)).rejects.toMatchObject({ status: 404 });
  await ask(say("hello"), { caller: { tenantId: 2, userId: null } });
  await expect(ask(say("hello"))).rejects.toMatchObject({ code: "GUARDRAIL_BLOCKED" });
  await ai.invoke("PUT", "ai-guardrails/[id]", { params, body: { enabled: false } });
  await ask(say("hello"));
});

test("a tester tells what each guardrail would do to a text, before anything is sent", async () => {
  const tryOn = (body: object, principal = SYSTEM_PRINCIPAL) =>
    ai.invoke<TriedGuardrails>("POST", "ai-guardrails/try", { body }, principal);
  const make = (name: string, rule: object, direction: string, action: string) =>
    ai.invoke("POST", "ai-guardrails", { body: { name, direction, action, rule } });
  await make("Cards", { kind: "pattern", pattern: "\\d{16}" }, "both", "redact");
  await make("Tone", words("darn"), "input", "warn");
  await make("Hydra", words("hydra"), "input", "block");
  expect(await tryOn({ side: "input", text: "Darn, card 4111111111111111." })).toEqual({
    text: "Darn, card [redacted].",
    findings: [
      { name: "Cards", action: "redact" },
      { name: "Tone", action: "warn" },
    ],
    asked: 3,
  });
  expect(await tryOn({ side: "input", text: "Hydra 4111111111111111" })).toEqual({
    text: null,
    findings: [
      { name: "Cards", action: "redact" },
      { name: "Hydra", action: "block" },
    ],
    asked: 3,
  });
  expect(await tryOn({ side: "output", text: "hydra" })).toEqual({ text: "hydra", findings: [], asked: 1 });
  const draft = { name: "Draft", direction: "both", action: "redact", rule: words("tea") };
  expect(await tryOn({ side: "output", text: "Tea, 4111111111111111", guardrail: draft })).toEqual({
    text: "[redacted], 4111111111111111",
    findings: [{ name: "Draft", action: "redact" }],
    asked: 1,
  });
  const broken = { ...draft, rule: { kind: "pattern", pattern: "(?=x)" } };
  await expect(tryOn({ side: "input", text: "x", guardrail: broken })).rejects.toMatchObject({
    code: "INVALID_REQUEST",
  });
  const reader = { ...SYSTEM_PRINCIPAL, permissions: ["ai-guardrails.read"] };
  await expect(tryOn({ side: "input", text: "x" }, reader)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(server.requests).toEqual([]);
});

test("a long text and a nasty pattern take no time", async () => {
  await guard({ kind: "pattern", pattern: "(a+)+$" }, "input", "block");
  expect(await cpuMsOf(() => ask(say(`${"a".repeat(20_000)}!`)))).toBeLessThan(5_000);
});
