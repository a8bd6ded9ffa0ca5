import { createHmac, hkdfSync, randomUUID } from "node:crypto";
import { type ModelReply, type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type EmbedOven, ORIGIN, startEmbedOven } from "./messages/testing/embed-oven.ts";
import { SessionTokens, TOKEN_SECONDS } from "./visitors/session-token.ts";

let server: ModelServer;
let oven: EmbedOven;
let replies: ModelReply[] = [];
let agentId: number;
let count = 0;

const REVIEWED = {
  payloadSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  initial: "look",
  states: {
    look: {
      invoke: {
        src: "agent.humanReview",
        input: { title: "Internal title", show: { secret: "internal" } },
        onDone: "done",
      },
    },
    done: { type: "final", output: { text: "Looked at: {{ $.trigger.message }}" } },
  },
};

beforeAll(async () => {
  server = await startModelServer(() => replies.shift() ?? { text: "An answer." }, { models: ["house"] });
  oven = await startEmbedOven(server);
  const made = await oven.call("POST", "agents", { name: "Helper", model: "openai:house", systemPrompt: "Be short." });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  agentId = made.body.id;
});
beforeEach(() => {
  replies = [];
  server.requests.length = 0;
});
afterAll(async () => {
  await oven.stop();
  await server.close();
});

async function embed(more: object = {}, key?: string) {
  count += 1;
  const body = { name: `Shop ${count}`, target: { kind: "agent", id: agentId }, origins: [ORIGIN], ...more };
  const made = await oven.call("POST", "embeds", body, key === undefined ? {} : { key });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}

/** @returns what to send to change an embed */
function settingsOf({ id, publicId, lastError, createdAt, updatedAt, ...settings }: Record<string, unknown>) {
  return settings;
}

async function workflow(definition: object): Promise<number> {
  count += 1;
  const made = await oven.call("POST", "agent-workflows", { name: `Flow ${count}`, definition });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.id;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
const bodyOf = async (response: Response): Promise<any> => response.json();
const codeOf = async (response: Response) => [response.status, (await bodyOf(response)).error?.code];

/** The frames of a stream up to its end. */
async function framesOf(response: Response): Promise<{ event: string; data: Record<string, unknown> }[]> {
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const blocks = (await response.text()).split("\n\n").filter((block) => block.startsWith("event: "));
  return blocks.map((block) => {
    const [, event = "", data = "null"] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    return { event, data: JSON.parse(data) };
  });
}

describe("a visitor", () => {
  it("talks to an agent, sees words alone, and goes on after a reload", async () => {
    const { publicId } = await embed();
    const { token, visitor } = await oven.session(publicId);
    replies = [{ text: "It is on its way." }];
    const said = await oven.say(publicId, token, "Where is my order?");
    expect(said.status).toBe(202);
    const message = await bodyOf(said);
    const stream = await oven.visit("GET", `${publicId}/messages/${message.id}/stream`, { token });
    const frames = await framesOf(stream);
    let text = "";
    for (const { event, data } of frames)
      if (event === "text") text = text.slice(0, Number(data.from)) + String(data.text);
    expect(text).toBe("It is on its way.");
    expect(frames.at(-1)).toEqual({
      event: "message",
      data: {
        id: message.id,
        message: "Where is my order?",
        answer: "It is on its way.",
        status: "completed",
        questions: [],
        createdAt: message.createdAt,
      },
    });
    // The page was loaded anew: it has the visitor's secret, and gets a token for it.
    const again = await oven.session(publicId, visitor);
    expect(again.visitor).toEqual({ id: visitor.id, secret: null });
    expect((await bodyOf(await oven.visit("GET", `${publicId}/messages`, { token: again.token })))[0].answer).toBe(
      text,
    );
    replies = [{ text: "Tomorrow." }];
    await oven.say(publicId, again.token, "When?");
    await oven.settled(publicId, again.token, ({ answer }) => answer === "Tomorrow.");
    // The agent knows what was said before.
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("Where is my order?");
  });

  it("sees only what it said itself", async () => {
    const { publicId } = await embed();
    const [one, other] = [await oven.session(publicId), await oven.session(publicId)];
    const { id } = await bodyOf(await oven.say(publicId, one.token, "A secret of mine"));
    await oven.settled(publicId, one.token, ({ status }) => status === "completed");
    expect(await (await oven.visit("GET", `${publicId}/messages`, { token: other.token })).json()).toEqual([]);
    const stream = await oven.visit("GET", `${publicId}/messages/${id}/stream`, { token: other.token });
    expect(await codeOf(stream)).toEqual([404, "NOT_FOUND"]);
    await oven.say(publicId, other.token, "Hello");
    await oven.settled(publicId, other.token, ({ status }) => status === "completed");
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain("A secret of mine");
  });

  it("is not recognized with a wrong secret, or on another origin", async () => {
    const { publicId } = await embed({ origins: [ORIGIN, "https://other.example.com"] });
    const { visitor } = await oven.session(publicId);
    const wrong = await oven.session(publicId, { id: visitor.id, secret: "x".repeat(43) });
    expect(wrong.visitor.id).not.toBe(visitor.id);
    const elsewhere = await oven.session(publicId, visitor, "https://other.example.com");
    expect(elsewhere.visitor.id).not.toBe(visitor.id);
    const foreign = await embed();
    expect((await oven.session(foreign.publicId, visitor)).visitor.id).not.toBe(visitor.id);
  });

  it("waits for a person, reads nothing of the review, and gets the answer once it is decided", async () => {
    const id = await workflow(REVIEWED);
    const { publicId } = await embed({ target: { kind: "agent-workflow", id } });
    const { token } = await oven.session(publicId);
    const message = await bodyOf(await oven.say(publicId, token, "Refund me"));
    const reading = oven.visit("GET", `${publicId}/messages/${message.id}/stream`, { token }).then(framesOf);
    const waiting = await oven.settled(publicId, token, ({ status }) => status === "waiting");
    expect(JSON.stringify(waiting)).not.toMatch(/internal/i);
    const { body: reviews } = await oven.call("GET", 'reviews?filter={"status":"open"}');
    const { id: review, digest } = reviews.at(-1);
    const decided = await oven.call("POST", `reviews/${review}/decide`, { action: "approve", digest });
    expect(decided.status, JSON.stringify(decided.body)).toBe(200);
    const frames = await reading;
    expect(frames.map(({ data }) => data.status)).toContain("waiting");
    expect(frames.at(-1)?.data).toMatchObject({ status: "completed", answer: "Looked at: Refund me" });
    expect(JSON.stringify(frames)).not.toMatch(/internal/i);
  });

  it("gets no more messages than the limits allow", async () => {
    const limits = { visitorPerHour: 2, embedPerHour: 3, messageLength: 20 };
    const { publicId } = await embed({ limits });
    const [one, other] = [await oven.session(publicId), await oven.session(publicId)];
    expect(await codeOf(await oven.say(publicId, one.token, "x".repeat(21)))).toEqual([400, "INVALID_INPUT"]);
    const speak = async (token: string) => {
      const response = await oven.say(publicId, token, "Hi");
      if (response.ok) await oven.settled(publicId, token, ({ status }) => status === "completed");
      return response;
    };
    expect((await speak(one.token)).status).toBe(202);
    expect((await speak(one.token)).status).toBe(202);
    const third = await speak(one.token);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await codeOf(third)).toEqual([429, "EMBED_LIMIT"]);
    expect((await speak(other.token)).status).toBe(202);
    expect(await codeOf(await speak(other.token))).toEqual([429, "EMBED_LIMIT"]);
  });

  it("starts one run for one key, and says one thing at a time", async () => {
    const id = await workflow(REVIEWED);
    const { publicId } = await embed({ target: { kind: "agent-workflow", id } });
    const { token } = await oven.session(publicId);
    const key = randomUUID();
    const both = await Promise.all([1, 2].map(() => oven.say(publicId, token, "Once", key)));
    const ids = await Promise.all(both.map(async (response) => (await bodyOf(response)).id));
    expect(ids[0]).toBe(ids[1]);
    expect(await codeOf(await oven.say(publicId, token, "Twice"))).toEqual([409, "CONVERSATION_BUSY"]);
    const runs = "select trigger_event from agent_workflow_executions where agent_workflow_id = $1";
    expect(await oven.db.query(runs, [id])).toEqual([{ trigger_event: "embed" }]);
  });
});

describe("a question", () => {
  const ASKING = (more: object = {}) => ({
    ...REVIEWED,
    states: {
      ...REVIEWED.states,
      look: {
        invoke: {
          src: "agent.humanReview",
          input: { title: "Go on?", show: "It costs 5 €.", ...more },
          onDone: "done",
        },
      },
    },
  });
  const ask = async (definition: object, more: object) => {
    const id = await workflow(definition);
    const { publicId } = await embed({ target: { kind: "agent-workflow", id }, ...more });
    const { token } = await oven.session(publicId);
    const { id: message } = await bodyOf(await oven.say(publicId, token, "Please"));
    const waiting = await oven.settled(publicId, token, ({ status }) => status === "waiting");
    return { publicId, token, message, questions: waiting.questions };
  };
  const decide = (publicId: string, token: string, message: number, body: object) =>
    oven.visit("POST", `${publicId}/messages/${message}/decisions`, { token, body });

  it("is answered by the visitor where the embed lets them, and the record says so", async () => {
    const { publicId, token, message, questions } = await ask(ASKING(), { visitorDecides: true });
    expect(questions).toEqual([
      { id: expect.any(Number), title: "Go on?", text: "It costs 5 €.", fields: null, digest: expect.any(String) },
    ]);
    const [{ id: question = 0, digest = "" } = {}] = questions;
    const other = await oven.session(publicId);
    const body = { question, action: "approve", digest };
    expect(await codeOf(await decide(publicId, other.token, message, body))).toEqual([404, "NOT_FOUND"]);
    expect((await decide(publicId, token, message, { ...body, digest: "0".repeat(64) })).status).toBeGreaterThan(399);
    expect((await decide(publicId, token, message, body)).status).toBe(200);
    await oven.settled(publicId, token, ({ answer }) => answer === "Looked at: Please");
    const review = await oven.call("GET", `reviews/${question}`);
    expect(review.body.reason).toContain("Answered by a visitor of the embed");
  });

  it.each([
    ["the embed does not let visitors answer", ASKING(), {}],
    ["it names who answers", ASKING({ assignees: ["user:1"] }), { visitorDecides: true }],
  ])("is for the people of the installation where %s", async (_why, definition, more) => {
    const { publicId, token, message, questions } = await ask(definition, more);
    expect(questions).toEqual([]);
    const { body: reviews } = await oven.call("GET", 'reviews?filter={"status":"open"}&sort=["id","DESC"]');
    const body = { question: reviews[0].id, action: "approve", digest: reviews[0].digest };
    expect(await codeOf(await decide(publicId, token, message, body))).toEqual([404, "NOT_FOUND"]);
  });
});

describe("a token", () => {
  it("counts for its embed, its origin and 15 minutes, and only as it was signed", async () => {
    const origins = [ORIGIN, "https://other.example.com"];
    const [one, other] = [await embed({ origins }), await embed({ origins })];
    const { token, expiresAt } = await oven.session(one.publicId);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(900_000);
    const ask = async (publicId: string, given: string, origin = ORIGIN) =>
      codeOf(await oven.visit("GET", `${publicId}/messages`, { token: given, origin }));
    expect((await ask(one.publicId, token))[0]).toBe(200);
    const refused = [401, "EMBED_SESSION_INVALID"];
    expect(await ask(other.publicId, token)).toEqual(refused);
    expect(await ask(one.publicId, token, "https://other.example.com")).toEqual(refused);
    expect(await ask(one.publicId, "")).toEqual(refused);
    const [payload = "", signature = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, visitor: randomUUID() })).toString("base64url");
    expect(await ask(one.publicId, `${forged}.${signature}`)).toEqual(refused);
    const key = Buffer.from(hkdfSync("sha256", "another secret", "", "oven embed session", 32));
    expect(
      await ask(one.publicId, `${payload}.${createHmac("sha256", key).update(payload).digest("base64url")}`),
    ).toEqual(refused);
  });

  it("expires", () => {
    const tokens = new SessionTokens("a secret of thirty-two characters");
    const claims = { embed: "e", visitor: "v", origin: ORIGIN, epoch: 0 };
    const { token } = tokens.sign(claims, 1_000_000);
    const end = (1_000 + TOKEN_SECONDS) * 1_000;
    expect(tokens.read(token, end - 1)).toMatchObject(claims);
    expect(tokens.read(token, end)).toBeUndefined();
    expect(tokens.read(`${token}.x`, 1_000_000)).toBeUndefined();
  });

  it("ends with the embed, also in a stream that is open, and does not come back with it", async () => {
    const id = await workflow(REVIEWED);
    const made = await embed({ target: { kind: "agent-workflow", id } });
    const { publicId } = made;
    const { token, visitor } = await oven.session(publicId);
    const message = await bodyOf(await oven.say(publicId, token, "Wait for me"));
    await oven.settled(publicId, token, ({ status }) => status === "waiting");
    const stream = await oven.visit("GET", `${publicId}/messages/${message.id}/stream`, { token });
    const set = (enabled: boolean) => oven.call("PUT", `embeds/${made.id}`, { ...settingsOf(made), enabled });
    expect((await set(false)).status).toBe(200);
    expect((await framesOf(stream)).at(-1)?.event).toBe("closed");
    expect(await codeOf(await oven.visit("GET", `${publicId}/messages`, { token }))).toEqual([409, "EMBED_CLOSED"]);
    expect((await set(true)).status).toBe(200);
    const late = await oven.visit("GET", `${publicId}/messages`, { token });
    expect(await codeOf(late)).toEqual([401, "EMBED_SESSION_INVALID"]);
    expect((await oven.session(publicId, visitor)).visitor.id).toBe(visitor.id);
  });
});

describe("an origin", () => {
  const headers = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };

  it("that is allowed may ask and read, without credentials", async () => {
    const { publicId } = await embed();
    const preflight = await oven.visit("OPTIONS", `${publicId}/sessions`, { headers });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-headers": "authorization, content-type",
      vary: "Origin",
    });
    const look = await oven.visit("GET", publicId);
    expect(look.headers.get("access-control-allow-origin")).toBe(ORIGIN);
    expect(look.headers.get("access-control-allow-credentials")).toBeNull();
    expect(look.headers.get("set-cookie")).toBeNull();
    // Errors too: the page is to show them.
    const failed = await oven.visit("GET", `${publicId}/messages`);
    expect([failed.status, failed.headers.get("access-control-allow-origin")]).toEqual([401, ORIGIN]);
  });

  it.each(["https://evil.example.com", "http://shop.example.com", "https://shop.example.com:8443", "null", null])(
    "that is not in the list gets nothing: %s",
    async (origin) => {
      const { publicId } = await embed();
      const preflight = await oven.visit("OPTIONS", `${publicId}/sessions`, { headers, origin });
      expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([403, null]);
      const sent = await oven.visit("POST", `${publicId}/sessions`, { origin, body: {} });
      expect(sent.headers.get("access-control-allow-origin")).toBeNull();
      expect(await codeOf(sent)).toEqual([403, "EMBED_ORIGIN_REFUSED"]);
    },
  );

  it("of other routes stays refused", async () => {
    const response = await oven.handle(
      new Request("http://localhost:3000/api/embeds", { method: "OPTIONS", headers: { origin: ORIGIN, ...headers } }),
    );
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([405, null]);
  });
});

describe("an embed", () => {
  it("runs with what its saver may still do", async () => {
    const { key, userId } = await oven.keyFor("admin");
    const { publicId } = await embed({}, key);
    const { token } = await oven.session(publicId);
    expect((await oven.say(publicId, token, "Hi")).status).toBe(202);
    await oven.settled(publicId, token, ({ status }) => status === "completed");
    await oven.db.query("update user_roles set role = 'viewer' where user_id = $1", [userId]);
    expect(await codeOf(await oven.say(publicId, token, "Hi again"))).toEqual([409, "EMBED_CLOSED"]);
  });

  it("is made only by those who may, of what they may use, for origins that are some", async () => {
    const { key } = await oven.keyFor("editor");
    const body = { name: "Shop", target: { kind: "agent", id: agentId }, origins: [ORIGIN] };
    expect((await oven.call("POST", "embeds", body, { key })).status).toBe(403);
    for (const origin of [
      "https://shop.example.com/",
      "shop.example.com",
      "*",
      "https://*",
      "https://*.com",
      "http://*.example.com",
    ])
      expect([origin, (await oven.call("POST", "embeds", { ...body, origins: [origin] })).status]).toEqual([
        origin,
        400,
      ]);
    expect((await oven.call("POST", "embeds", { ...body, target: { kind: "agent", id: 999 } })).status).toBe(404);
    const perUser = { name: "Remembers", model: "openai:house", memoryConfig: { enabled: true, scope: "agent+user" } };
    const agent = await oven.call("POST", "agents", perUser);
    const remembered = await oven.call("POST", "embeds", { ...body, target: { kind: "agent", id: agent.body.id } });
    expect([remembered.status, remembered.body.error?.path]).toEqual([400, "$.target"]);
  });
});
