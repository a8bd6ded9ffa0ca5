import { expect, it } from "vitest";
import { readEnvironment } from "./environment.ts";

const read = (text: string | undefined) =>
  readEnvironment({ NODE_ENV: "test", OVEN_SECRET: "s".repeat(32), OVEN_OUTBOUND_ALLOW: text }, true).outboundAllow;

it("takes exact origins that outbound calls may reach", () => {
  expect(read(undefined)).toEqual([]);
  expect(read(" http://10.0.0.5:8080, https://Intranet.example ,")).toEqual([
    "http://10.0.0.5:8080",
    "https://intranet.example",
  ]);
});

it.each(["10.0.0.5:8080", "http://10.0.0.5/path", "ftp://10.0.0.5", "http://*.example/", "http://user@10.0.0.5", "*"])(
  "refuses %s with one clear line",
  (text) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({
        code: "INVALID_ENVIRONMENT",
        message: expect.stringMatching(/^OVEN_OUTBOUND_ALLOW: /),
      }),
    );
  },
);
