import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type AppStory, startApps } from "./testing/app-story.ts";
import { called, chainOf, documentOf, linked, n8nNode } from "./testing/n8n-documents.ts";

let story: AppStory;
beforeAll(async () => {
  story = await startApps();
});
beforeEach(() => {
  story.reset();
});
afterAll(() => story.stop());

const use = (value: string) =>
  n8nNode("Use", "set", { assignments: { assignments: [{ name: "u", type: "string", value }] } });
const http = (parameters: JsonObject) => n8nNode("Ask", "httpRequest", parameters, { typeVersion: 4.2 });
const reasonOf = async (node: JsonObject): Promise<Json | undefined> => {
  const { report } = await story.preview(chainOf(called("Start"), node));
  const found = report.elements.find(({ name }) => name === node.name);
  return found?.outcome === "placeholder" ? found.notes[0] : undefined;
};
const settingsOf = (report: { settings: readonly { kind: string; name: string }[] }) =>
  report.settings.map(({ kind, name }) => `${kind} ${name}`);

it("reads the environment and n8n's variables from the context of the run, where they are null until they are set", async () => {
  const document = chainOf(called("Start"), use("={{ $env.PLACE || 'nowhere' }} {{ $vars['city'] ?? 'none' }}"));
  const { output, report } = await story.run(document, {});
  expect(output).toEqual({ u: "nowhere none" });
  expect(settingsOf(report)).toEqual(["configuration env.PLACE", "configuration vars.city"]);
  const set = await story.run(document, {}, { env: { PLACE: "Oslo" }, vars: { city: "Rome" } });
  expect(set.output).toEqual({ u: "Oslo Rome" });
});

it("takes a key of the environment as a secret, in a header, the query and the address", async () => {
  const headers = [
    { name: "x-api-key", value: "={{ $env.SHOP_API_KEY }}" },
    { name: "Authorization", value: "={{ 'Bearer ' + $env.SHOP_TOKEN }}" },
  ];
  const document = chainOf(
    called("Start"),
    http({
      ...{ url: "=https://api.test/bot{{ $env.BOT_TOKEN }}/x", sendHeaders: true, sendQuery: true },
      headerParameters: { parameters: headers },
      queryParameters: { parameters: [{ name: "key", value: '={{ $env["MAP_API_KEY"] }}' }] },
    }),
  );
  const { report } = await story.run(document, {});
  const names = ["bot-token", "map-api-key", "shop-api-key", "shop-token"];
  expect(settingsOf(report).toSorted()).toEqual(names.map((name) => `credential ${name}`));
  expect(story.asked()).toMatchObject([
    {
      url: "https://api.test/botsecret%20of%20bot-token/x?key=secret+of+map-api-key",
      authorization: "Bearer secret of shop-token",
    },
  ]);
});

it("stays a placeholder where a secret of the environment would stand in a body or a script, or all of it is read", async () => {
  const body = { method: "POST", url: "https://api.test", sendBody: true };
  const secret =
    "it reads PASSWORD of the environment of the server, a secret by its name, where no secret is filled in";
  expect(
    await reasonOf(http({ ...body, bodyParameters: { parameters: [{ name: "p", value: "={{ $env.PASSWORD }}" }] } })),
  ).toBe(secret);
  expect(await reasonOf(use("={{ $env.PASSWORD.length }}"))).toBe(secret);
  expect(await reasonOf(use("={{ Object.keys($env) }}"))).toBe(
    "its JavaScript cannot be carried over: it reads all of the environment of the server",
  );
});

it("fails until a setting is filled in that the document leaves open, and asks with it then", async () => {
  const tell = n8nNode(
    "Tell: {me}",
    "telegram",
    { text: "Hi", additionalFields: { appendAttribution: false } },
    { typeVersion: 1.2 },
  );
  const document = chainOf(called("Start"), tell);
  const empty = await story.run(document, {});
  const settings = ['configuration settings["Tell: {me}"].chatId', "credential telegram"];
  expect([empty.status, settingsOf(empty.report).toSorted()]).toEqual(["failed", settings]);
  expect(JSON.stringify(empty.error)).toContain("chatId");
  expect(story.asked()).toEqual([]);
  story.answer({ ok: true, result: {} });
  const set = await story.run(document, {}, { settings: { "Tell: {me}": { chatId: "7" } } });
  expect([set.status, story.asked()[0]?.body]).toMatchObject(["completed", { chat_id: "7", text: "Hi" }]);
});

it("asks at an address that is filled in, where the document has none", async () => {
  const document = chainOf(called("Start"), http({ options: {} }));
  const { status, report } = await story.run(document, {});
  expect([status, settingsOf(report), story.asked()]).toEqual(["failed", ["configuration settings.Ask.url"], []]);
  const set = await story.run(document, {}, { settings: { Ask: { url: "https://api.test/there" } } });
  expect([set.status, story.asked()[0]?.url]).toEqual(["completed", "https://api.test/there"]);
});

it("begins with a mail as n8n hands it on", async () => {
  const document = documentOf([n8nNode("Mail", "emailReadImap", { options: {} }), use("={{ $json.subject }}")], {
    Mail: linked(["Use"]),
  });
  const { output, report } = await story.run(document, { subject: "Hello" });
  expect(output).toEqual({ u: "Hello" });
  expect(report.settings[0]?.advice).toContain('"textPlain":"$.text"');
});

it("has n8n's methods of texts", async () => {
  const texts = [
    ["'Some Big-Name!'.toSnakeCase()", "some_big_name"],
    ["'Grüße'.base64Encode()", "R3LDvMOfZQ=="],
    ["'R3LDvMOfZQ=='.base64Decode()", "Grüße"],
    ["'write to a.b@c.org now'.extractEmail()", "a.b@c.org"],
    ["'see https://x.test/a?b=1 there'.extractUrl()", "https://x.test/a?b=1"],
    ["'https://www.x.test/a'.extractDomain()", "www.x.test"],
    [
      "String('a@b.org'.isEmail()) + 'a b@c.org'.isEmail() + '1.5'.isNumeric() + '1 5'.isNumeric()",
      "truefalsetruefalse",
    ],
    ["$executionId === $execution.id ? 'same' : 'other'", "same"],
  ];
  const value = `={{ JSON.stringify([${texts.map(([source]) => source).join(", ")}]) }}`;
  const { output } = await story.run(chainOf(called("Start"), use(value)), {});
  expect(JSON.parse((output as { u: string }).u)).toEqual(texts.map(([, said]) => said)); // cast: what Use hands on
});

it("waits for a time that is computed", async () => {
  const wait = n8nNode("Wait", "wait", { amount: "={{ $json.s / 1000 }}", unit: "seconds" }, { typeVersion: 1.1 });
  const { output, status } = await story.run(chainOf(called("Start"), wait, use("={{ $json.s }}")), { s: 5 });
  expect([status, output]).toEqual(["completed", { u: "5" }]);
});

it("calls its own workflow as the one that another calls", async () => {
  const call = n8nNode(
    "Again",
    "executeWorkflow",
    { workflowId: { mode: "id", value: "={{ $workflow.id }}" }, options: {} },
    { typeVersion: 1.1 },
  );
  const hand = n8nNode("Hand", "manualTrigger");
  const document = documentOf(
    [
      hand,
      call,
      called("Called"),
      use("={{ $json.n }}!"),
      n8nNode("Give", "set", { assignments: { assignments: [{ name: "n", type: "string", value: "7" }] } }),
    ],
    { Hand: linked(["Give"]), Give: linked(["Again"]), Called: linked(["Use"]) },
  );
  const { output, status } = await story.run({ ...document, name: "itself" }, {}, undefined, "itself");
  expect([status, output]).toMatchObject(["completed", { output: { u: "7!" } }]);
});
