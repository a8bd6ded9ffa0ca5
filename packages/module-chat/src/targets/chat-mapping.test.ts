import { describe, expect, it } from "vitest";
import { fitWorkflow, toAnswer, toInput } from "./chat-mapping.ts";

const text = { type: "string" };
const taking = (properties: object, more: object = {}) => ({
  payloadSchema: { type: "object", properties: { ...properties }, additionalProperties: false, ...more },
});

describe("how a workflow is talked to", () => {
  it("says it to `message`, to a field of that meaning, or to the only one that takes text", () => {
    expect(fitWorkflow({}).mapping).toEqual({ message: "message", messages: "messages", answer: null, input: {} });
    expect(fitWorkflow(taking({ title: text, question: text })).mapping?.message).toBe("question");
    expect(fitWorkflow(taking({ count: { type: "integer" }, words: text })).mapping?.message).toBe("words");
    const needed = { required: ["body"] };
    expect(fitWorkflow(taking({ title: text, body: text }, needed)).mapping?.message).toBe("body");
  });

  it("hands the conversation to a list of that name, or where more may be given than is named", () => {
    expect(fitWorkflow(taking({ message: text })).mapping?.messages).toBeNull();
    expect(fitWorkflow(taking({ message: text, history: { type: "array" } })).mapping?.messages).toBe("history");
    const open = { payloadSchema: { type: "object", properties: { message: text } } };
    expect(fitWorkflow(open).mapping?.messages).toBe("messages");
    expect(fitWorkflow(open, { messages: null }).mapping?.messages).toBeNull();
  });

  it("says what keeps it from being talked to", () => {
    expect(fitWorkflow(taking({ count: { type: "integer" } })).misfit).toContain("No field");
    expect(fitWorkflow(taking({ one: text, two: text })).misfit).toContain("No field");
    const orders = taking({ message: text, orderId: { type: "integer" } }, { required: ["message", "orderId"] });
    const { misfit, parameters } = fitWorkflow(orders);
    expect(misfit).toContain("`orderId`");
    expect(parameters).toEqual({
      type: "object",
      properties: { orderId: { type: "integer" } },
      required: ["orderId"],
    });
    expect(fitWorkflow(orders, { input: { orderId: 1 } }).misfit).toBeNull();
    expect(fitWorkflow(orders, { message: "words" }).misfit).toContain("`words`");
    expect(fitWorkflow(orders, { message: "orderId" }).misfit).toContain("no text");
    expect(fitWorkflow(orders, { messages: "before", input: { orderId: 1 } }).misfit).toContain("`before`");
  });

  it("makes an input of what was said, and an answer of what came out", () => {
    const said = [
      { role: "user", content: "One" },
      { role: "assistant", content: "1" },
      { role: "user", content: "Two" },
    ];
    const mapping = { message: "question", messages: "history", answer: null, input: { shop: "Berlin" } };
    expect(toInput(mapping, said)).toEqual({ shop: "Berlin", question: "Two", history: said });
    expect(toInput({ ...mapping, messages: null }, said)).toEqual({ shop: "Berlin", question: "Two" });
    expect(toAnswer("As it is", null)).toBe("As it is");
    expect(toAnswer({ reply: "Here", other: 1 }, null)).toBe("Here");
    expect(toAnswer({ count: 1 }, null)).toBe('{"count":1}');
    expect(toAnswer({ result: { parts: [{ text: "Deep" }] } }, "result.parts.0.text")).toBe("Deep");
    expect(toAnswer({ result: 1 }, "gone.away")).toBe("null");
  });
});
