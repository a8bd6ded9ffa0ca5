import { expect, test } from "vitest";
import { createOpenaiProvider } from "./openai.provider.ts";

test("a key alone means OpenAI's own endpoint, with its prices and nothing stored there", () => {
  const provider = createOpenaiProvider({ openaiApiKey: "sk-test", openaiBaseUrl: undefined });
  expect(provider).toMatchObject({ configured: true, title: "OpenAI", requestOptions: { openai: { store: false } } });
  expect(provider.languageModel("gpt-5").provider).toBe("openai.responses");
  expect(provider.price("gpt-5")).toBeDefined();
});

test("a base URL means chat completions there, with or without a key, and no price of OpenAI's", () => {
  const provider = createOpenaiProvider({ openaiApiKey: undefined, openaiBaseUrl: "http://127.0.0.1:9/v1" });
  expect(provider).toMatchObject({ configured: true, title: "OpenAI-compatible (127.0.0.1:9)" });
  expect(provider.languageModel("gpt-5").provider).toBe("openai.chat");
  expect(provider.requestOptions.openai).not.toHaveProperty("store");
  expect(provider.price("gpt-5")).toBeUndefined();
});

test("without either it is not configured", () => {
  expect(createOpenaiProvider({ openaiApiKey: undefined, openaiBaseUrl: undefined }).configured).toBe(false);
});

test("a server that does not list its models is an error that says what to do", async () => {
  const provider = createOpenaiProvider({ openaiApiKey: undefined, openaiBaseUrl: "http://127.0.0.1:9/v1" });
  await expect(provider.listModels()).rejects.toMatchObject({
    code: "MODEL_UNAVAILABLE",
    fix: expect.stringContaining("alias"),
  });
});
