import type { EmbedMessage } from "@oven/contract/embed";
import { type ModelServer, startModelServer } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmbedOven, ORIGIN, startEmbedOven } from "./testing/embed-oven.ts";

const SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["size"],
  properties: {
    size: { enum: ["small", "large"], title: "Size" },
    seats: { type: "integer", title: "Seats", minimum: 1, maximum: 9 },
  },
};

describe("a form that a run asks a visitor to fill in", () => {
  let server: ModelServer;
  let oven: EmbedOven;
  let count = 0;
  beforeAll(async () => {
    server = await startModelServer(() => ({ text: "Unused." }), { models: ["house"] });
    oven = await startEmbedOven(server);
  });
  afterAll(async () => {
    await oven.stop();
    await server.close();
  });

  const ask = async (input: object, settings: object = { visitorDecides: true }) => {
    count += 1;
    const definition = {
      payloadSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
      initial: "ask",
      states: {
        ask: {
          invoke: {
            src: "core.requestInput",
            input: { title: "Which table?", schema: { $literal: SCHEMA }, ...input },
            onDone: "done",
          },
        },
        done: {
          type: "final",
          output: { text: "A {{ $.ask_output.data.size }} table for {{ $.ask_output.data.seats }}" },
        },
      },
    };
    const made = await oven.call("POST", "agent-workflows", { name: `Tables ${count}`, definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const target = { kind: "agent-workflow", id: made.body.id };
    const { body } = await oven.call("POST", "embeds", { name: "Tables", target, origins: [ORIGIN], ...settings });
    const { token } = await oven.session(body.publicId);
    await oven.say(body.publicId, token, "A table, please");
    const message = await oven.settled(body.publicId, token, ({ status }) => status === "waiting");
    return { publicId: String(body.publicId), token, message };
  };
  const answer = async (publicId: string, token: string, { id }: EmbedMessage, body: object) => {
    const response = await oven.visit("POST", `${publicId}/messages/${id}/decisions`, { token, body });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
    return { status: response.status, body: (await response.json()) as any };
  };

  it("is shown with what is proposed, is checked, and the run goes on with the answer", async () => {
    const { publicId, token, message } = await ask({
      proposal: { size: "large", secret: "internal" },
      context: "By the window are small ones only.",
    });
    expect(message.questions).toEqual([
      {
        id: expect.any(Number),
        title: "Which table?",
        text: "By the window are small ones only.",
        fields: [
          expect.objectContaining({ name: "size", control: "choice", required: true, initial: "large" }),
          expect.objectContaining({ name: "seats", control: "integer", required: false, initial: null }),
        ],
        digest: expect.any(String),
      },
    ]);
    expect(JSON.stringify(message)).not.toContain("internal");
    const [{ id: question = 0, digest = "" } = {}] = message.questions;
    const given = { question, digest, action: "submit" };

    const unfit = await answer(publicId, token, message, { ...given, data: { size: "huge", seats: 12 } });
    expect([unfit.status, unfit.body.error.code]).toEqual([400, "INVALID_INPUT"]);
    const places = unfit.body.error.details.problems.map(({ path }: { path: string }) => path);
    expect(places.toSorted()).toEqual(["$.seats", "$.size"]);
    const unasked = await answer(publicId, token, message, { ...given, data: { size: "small", admin: true } });
    expect([unasked.status, unasked.body.error.code]).toEqual([400, "INVALID_INPUT"]);
    expect((await answer(publicId, token, message, given)).status).toBe(400);
    const other = { question, digest, action: "approve" };
    const refused = await answer(publicId, token, message, other);
    expect([refused.status, refused.body.error.code]).toEqual([400, "ACTION_UNKNOWN"]);
    const stranger = await oven.session(publicId);
    const data = { size: "small", seats: 2 };
    expect((await answer(publicId, stranger.token, message, { ...given, data })).status).toBe(404);
    const stale = await answer(publicId, token, message, { ...given, data, digest: "0".repeat(64) });
    expect([stale.status, stale.body.error.code]).toEqual([409, "REVIEW_CHANGED"]);

    expect((await answer(publicId, token, message, { ...given, data })).status).toBe(200);
    const ended = await oven.settled(publicId, token, ({ status }) => status === "completed");
    expect(ended.answer).toBe("A small table for 2");
    const review = await oven.call("GET", `reviews/${question}`);
    expect(review.body).toMatchObject({ action: "submit", data, reason: expect.stringContaining("by a visitor") });
    expect((await answer(publicId, token, message, { ...given, data })).status).toBe(404);
  });

  it.each([
    ["the embed does not let visitors answer", {}, {}],
    ["it names who answers", { assignees: ["user:1"] }, { visitorDecides: true }],
    ["it has no fields", { schema: { $literal: { type: "object" } } }, { visitorDecides: true }],
  ])("is for the people of the installation where %s", async (_why, input, settings) => {
    const { publicId, token, message } = await ask(input, settings);
    expect(message.questions).toEqual([]);
    const open = 'reviews?filter={"status":"open"}&sort=["id","DESC"]';
    const [{ id: question, digest }] = (await oven.call("GET", open)).body;
    const body = { question, digest, action: "submit", data: { size: "small" } };
    expect((await answer(publicId, token, message, body)).status).toBe(404);
  });
});
