import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { receiptsCommand } from "./receipts.command.ts";
import { serve } from "./testing/serve.ts";

let oven: TestOven;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }) });
  server = await serve(oven.handle);
});
afterAll(async () => {
  await server.close();
  await oven.stop();
});

async function run(args: string[], key = TEST_KEY): Promise<string> {
  let said = "";
  const write = (text: string) => {
    said += text;
  };
  expect(await receiptsCommand.run([...args, "--url", `http://127.0.0.1:${server.port}`, "--key", key], write)).toBe(0);
  return said;
}

it("lets a new key sign after a word of confirmation, and shows it beside those that signed", async () => {
  const first = /^(\S+) signs since/m.exec(await run(["rotate", "--yes"]))?.[1];
  await expect(run(["rotate"])).rejects.toThrow("--yes");
  expect(await run(["keys"])).toContain(`${first} signs since`);
  const second = /^(\S+) signs since/m.exec(await run(["rotate", "--yes"]))?.[1];
  expect(second).not.toBe(first);
  const keys = await run(["keys"]);
  expect(keys).toContain(`${second} signs since`);
  expect(keys).toContain(`${first} signed from`);
});

it("is refused to keys without the permission, and knows no other word", async () => {
  const { body } = await oven.call("POST", "api-keys", { name: "Reader", permissions: ["executions.read"] });
  const before = await run(["keys"]);
  await expect(run(["rotate", "--yes"], body.key)).rejects.toThrow(/FORBIDDEN.*receipt-keys.rotate/s);
  expect(await run(["keys"])).toBe(before);
  await expect(run(["revoke"])).rejects.toThrow("usage");
});
