import { withLogFields } from "@oven/module-registry";
import { afterEach, describe, expect, it, vi } from "vitest";
import { redactConsole } from "./redacted-console.ts";

describe("the console of a server", () => {
  let end: (() => void) | undefined;
  afterEach(() => {
    end?.();
    vi.restoreAllMocks();
  });

  it("shows no secret: in a text, in an error's message, cause and properties, nor one of the environment", () => {
    const said: string[] = [];
    vi.spyOn(console, "error").mockImplementation((...parts) => void said.push(parts.join(" ")));
    end = redactConsole((text) => text.replaceAll("sk-tenant", "[secret:shop]"), {
      OPENAI_API_KEY: "sk-operator",
      OVEN_SECRET: undefined,
    });
    console.error("%s failed with %s", "POST /x", "sk-tenant");
    console.error(Object.assign(new Error("sk-tenant", { cause: { key: "sk-operator" } }), { url: "?key=sk-tenant" }));
    console.error(
      "sign-in",
      Buffer.from("\0oven\0sk-operator").toString("base64"),
      encodeURIComponent("sk-operator/+"),
    );
    expect(said[2]).toMatch(/^%s sign-in .*\[OPENAI_API_KEY\].* \[OPENAI_API_KEY\]/);
    expect(said[0]).toBe("%s POST /x failed with [secret:shop]");
    expect(said[1]).toMatch(/Error: \[secret:shop\][\s\S]*\[OPENAI_API_KEY\]/);
    expect(said.join("\n")).not.toMatch(/sk-(tenant|operator)/);
  });

  it("takes a percent sign in what is said for no format", () => {
    const said: unknown[][] = [];
    vi.spyOn(console, "log").mockImplementation((...parts) => void said.push(parts));
    end = redactConsole((text) => text, {});
    // biome-ignore lint/suspicious/noConsole: this is what is wrapped
    console.log("100 %s of it");
    expect(said).toEqual([["%s", "100 %s of it"]]);
  });

  it("says each thing as one line of JSON with what it is about, without secrets, where that is asked for", async () => {
    const said: string[] = [];
    for (const method of ["warn", "log"] as const)
      vi.spyOn(console, method).mockImplementation((...parts) => void said.push(String(parts[1])));
    end = redactConsole((text) => text, { OVEN_SECRET: 'sk-"operator"' }, "json");
    await withLogFields({ executionId: 7, tenantId: 2 }, () =>
      withLogFields({ nodeId: "fetch" }, async () => {
        await Promise.resolve();
        console.warn("two\nlines with", 'sk-"operator"', new Error("broken"));
      }),
    );
    // biome-ignore lint/suspicious/noConsole: this is what is wrapped
    console.log("outside");
    expect(said.map((line) => line.includes("\n"))).toEqual([false, false]);
    const [first, second] = said.map((line) => JSON.parse(line));
    expect(first).toMatchObject({ level: "warn", executionId: 7, tenantId: 2, nodeId: "fetch" });
    expect(first.message).toMatch(/^two\nlines with \[OVEN_SECRET\] Error: broken\n {4}at /);
    expect(second).toEqual({ time: expect.stringMatching(/^\d{4}-.*Z$/), level: "info", message: "outside" });
  });
});
