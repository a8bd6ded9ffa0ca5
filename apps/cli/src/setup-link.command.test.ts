import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeSetupLink } from "./setup-link.command.ts";
import { serve } from "./testing/serve.ts";

const SECRET = "a-secret-of-the-installation-0123456789";
const ADA = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

let oven: TestOven;
let http: Awaited<ReturnType<typeof serve>>;
let dataDir: string;
let port: number;
beforeAll(async () => {
  oven = await startTestOven({
    createRuntime,
    modules: installedModules({ demo: false }),
    environment: { secret: SECRET },
  });
  http = await serve((request) => oven.handle(request));
  port = http.port;
  dataDir = await mkdtemp(join(tmpdir(), "oven-setup-link-"));
  await writeFile(join(dataDir, "secret"), `${SECRET}\n`);
});
afterAll(async () => {
  await http.close();
  await oven.stop();
  await rm(dataDir, { recursive: true });
});

async function setupLink(variables: Record<string, string>) {
  let text = "";
  const code = await makeSetupLink({ OVEN_DATA_DIR: dataDir, ...variables }, (line) => (text += line));
  const token = /http:\/\/localhost:\d+\/setup\?token=(\S+)/.exec(text)?.[1];
  return { code, text, token };
}
const claim = (token: string | undefined, email = ADA.email) =>
  oven.call("POST", "setup", { ...ADA, email, token }, { key: null });

it("makes a link beside the running server, which makes the first owner once", async () => {
  const link = await setupLink({ PORT: String(port) });
  expect(link).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^Create the first admin: .+\nThe link is good.+\n$/),
  });
  const other = await setupLink({ PORT: String(port) });
  const foreign = await setupLink({ PORT: String(port), OVEN_SECRET: "t".repeat(40) });
  const [expires = "", ...rest] = (link.token ?? "").split(".");
  for (const token of [foreign.token, [Number(expires) + 1, ...rest].join("."), "..", link.token?.slice(0, -1)])
    expect(await claim(token), token).toMatchObject({ status: 403, body: { error: { code: "SETUP_TOKEN_INVALID" } } });
  const racers = await Promise.all([claim(link.token), claim(other.token, "bob@example.com")]);
  expect(racers.map(({ status }) => status).sort()).toEqual([201, 403]);
  expect(await setupLink({ PORT: String(port) })).toEqual({
    code: 1,
    text: `Set-up is done: a person with the owner role can sign in. Sign in at http://localhost:${port}/login\n`,
    token: undefined,
  });
});

it("says so when no server answers, and makes no secret where there is none", async () => {
  expect((await setupLink({ PORT: "1" })).text).toContain("No server answers at http://127.0.0.1:1");
  const empty = await mkdtemp(join(tmpdir(), "oven-setup-link-"));
  await expect(setupLink({ OVEN_DATA_DIR: empty })).rejects.toMatchObject({ code: "INVALID_ENVIRONMENT" });
  expect(await readdir(empty)).toEqual([]);
  await rm(empty, { recursive: true });
});
