import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PersonExportSchema } from "@oven/contract/access";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { invite, startTestOven, TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { personCommand } from "./person.command.ts";
import { serve } from "./testing/serve.ts";

const ANNA = "anna@example.com";
let oven: TestOven;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }) });
  await invite(oven, ANNA, ["editor"]);
  server = await serve(oven.handle);
});
afterAll(async () => {
  await server.close();
  await oven.stop();
});

async function run(...args: string[]): Promise<{ code: number; said: string }> {
  let said = "";
  const code = await personCommand.run(
    [...args, "--url", `http://127.0.0.1:${server.port}`, "--key", TEST_KEY],
    (text) => {
      said += text;
    },
  );
  return { code, said };
}

it("finds, exports and erases a person at a server, and never without the address typed again", async () => {
  const found = await run("find", "--email", "Anna@Example.com");
  expect(found.said).toMatch(/^anna@example\.com \(account \d+\)\n/);
  expect(found.said).toMatch(/ 1 {2}Account \(users\): would be deleted\n/);
  expect(found.said).toMatch(/Audit entries \(audit_log\): would stay\. The audit log cannot be changed/);

  const out = join(mkdtempSync(join(tmpdir(), "oven-person-")), "anna.json");
  expect((await run("export", "--email", ANNA, "--out", out)).said).toBe(`Written to ${out}\n`);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const exported = PersonExportSchema.parse(JSON.parse(readFileSync(out, "utf8")));
  expect(exported.subject.email).toBe(ANNA);
  // A file that is there already is not overwritten.
  await expect(run("export", "--email", ANNA, "--out", out)).rejects.toThrow("EEXIST");
  const printed = await run("export", "--user", String(exported.subject.userId));
  expect(PersonExportSchema.parse(JSON.parse(printed.said)).subject).toEqual(exported.subject);

  await expect(run("erase", "--email", ANNA)).rejects.toThrow("--confirm");
  await expect(run("erase", "--email", ANNA, "--confirm", "someone@example.com")).rejects.toThrow("CONFIRMATION_WRONG");
  const erased = await run("erase", "--email", ANNA, "--confirm", ANNA);
  expect(erased).toMatchObject({ code: 0, said: expect.stringMatching(/ 1 {2}Account \(users\): deleted\n/) });
  expect((await run("find", "--email", ANNA)).said).toBe("Nothing is held of anna@example.com (no account).\n");
  await expect(run("find")).rejects.toThrow("usage");
  await expect(run("forget", "--email", ANNA)).rejects.toThrow("usage");
});

it("ends with 1 while runs of the person go on, and names them", async () => {
  const definition = {
    initial: "ask",
    states: { ask: { invoke: { src: "core.requestInput", input: {}, onDone: "done" } }, done: { type: "final" } },
  };
  await oven.call("POST", "workflows", { name: "Asks", definition });
  const setting = { moduleName: "module-workflows", key: "PERSON_INPUT_PATHS", value: ["email"], scopeId: null };
  expect((await oven.call("POST", "module-configs", setting)).status).toBe(201);
  const { body } = await oven.call("POST", "workflows/asks/execute?wait=20", { input: { email: "carl@example.com" } });
  const erase = () => run("erase", "--email", "carl@example.com", "--confirm", "carl@example.com");
  expect(await erase()).toMatchObject({
    code: 1,
    said: expect.stringContaining(`Left: ${body.id}, which have not ended`),
  });
  await oven.call("POST", `workflow-executions/${body.id}/cancel`, {});
  await expect
    .poll(async () => (await erase()).said)
    .toMatch(/ 1 {2}Runs of workflows whose input names the person|Nothing/);
  expect((await run("find", "--email", "carl@example.com")).said).toContain("Nothing is held");
});
