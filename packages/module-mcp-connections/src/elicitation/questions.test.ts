import { expect, it } from "vitest";
import type { QuestionState } from "./open-questions.ts";
import { toCallAnswers, toForm, toState, withAnswer } from "./questions.ts";

const elicit = (params: object) => ({ method: "elicitation/create", params: { message: "Which?", ...params } });
const asked = (requests: object) => ({ type: "questions" as const, requests: JSON.parse(JSON.stringify(requests)) });
const submit = (id: number, data = {}) => ({ id, action: "submit" as const, data });

it("counts each answer once, though a step that is repeated after a crash brings it again", () => {
  const state = toState("mcp.a.b", asked({ one: elicit({}), two: elicit({}) }), undefined);
  const first = withAnswer(state, submit(7, { a: 1 }));
  expect(withAnswer(first, submit(7, { a: 1 }))).toEqual(first);
  expect(toCallAnswers(first)).toBeUndefined();
  const second = withAnswer(first, { id: 8, action: "decline", data: null });
  expect(toCallAnswers(second)).toEqual({
    inputResponses: { one: { action: "accept", content: { a: 1 } }, two: { action: "decline" } },
  });
});

it("keeps the answers of the older era by the question they are to", () => {
  const question = { type: "legacy-question" as const, key: "k1", params: { message: "Which?" } };
  const first = withAnswer(toState("mcp.a.b", question, undefined), submit(1, { a: 1 }));
  const second = withAnswer(toState("mcp.a.b", { ...question, key: "k2" }, first), submit(2, { b: 2 }));
  expect(toCallAnswers(second)).toEqual({
    legacyAnswers: { k1: { action: "accept", content: { a: 1 } }, k2: { action: "accept", content: { b: 2 } } },
  });
});

it.each([
  ["sampling/createMessage", "models"],
  ["roots/list", "files"],
  ["tasks/other", "does not answer"],
])("refuses %s with why", (method, why) => {
  expect(() => toState("mcp.a.b", asked({ one: { method, params: {} } }), undefined)).toThrow(
    expect.objectContaining({ code: "MCP_TOOL_FAILED", message: expect.stringContaining(why) }),
  );
});

it("gives a server that asks for ever up", () => {
  let state: QuestionState | undefined;
  const ask = () => toState("mcp.a.b", asked({ one: elicit({}) }), state);
  for (let round = 0; round < 20; round++) state = ask();
  expect(ask).toThrow("more than 20 times");
});

it.each(["javascript:alert(1)", "file:///etc/passwd", "not a link"])("shows no link to %s", (url) => {
  const state = toState("mcp.a.b", asked({ one: elicit({ mode: "url", url }) }), undefined);
  expect(() => toForm("mcp.a.b", "shop", state)).toThrow("no web page");
});
