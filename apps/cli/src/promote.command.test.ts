import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInstallation } from "@oven/module-promotion/testing";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { promoteCommand } from "./promote.command.ts";
import { serve } from "./testing/serve.ts";

const definition = (model: string) => ({
  initial: "ask",
  states: {
    ask: { invoke: { src: "agent.llm", input: { model, prompt: "Say yes" }, onDone: "done" } },
    done: { type: "final" },
  },
});

let oven: TestOven;
let http: Awaited<ReturnType<typeof serve>>;
let folder: string;
let server: string[];
beforeAll(async () => {
  oven = await startInstallation();
  http = await serve((request) => oven.handle(request));
  server = ["--url", `http://127.0.0.1:${http.port}`, "--key", TEST_KEY];
  folder = await mkdtemp(join(tmpdir(), "oven-promote-"));
  await oven.call("POST", "ai-aliases", { name: "house", model: "simulated:clerk" });
  await oven.call("POST", "agent-workflows", { name: "Main", definition: definition("house") });
  const { body: file } = await oven.call("GET", "agent-workflows/main/promotion");
  await writeFile(join(folder, "main.json"), JSON.stringify(file));
  await oven.call("DELETE", "agent-workflows/main");
  const { body: aliases } = await oven.call("GET", "ai-aliases");
  const house = aliases.find(({ name }: { name: string }) => name === "house");
  await oven.call("DELETE", `ai-aliases/${house.id}`);
});
afterAll(async () => {
  await http.close();
  await oven.stop();
  await rm(folder, { recursive: true });
});

async function promote(...args: string[]) {
  const lines: string[] = [];
  const code = await promoteCommand.run([join(folder, "main.json"), ...server, ...args], (text) => lines.push(text));
  return { code, text: lines.join("") };
}
const made = () => oven.db.query("select definition::text as text from agent_workflows where slug = 'main'");

it("says what is missing and imports nothing, until it is mapped and told to", async () => {
  const missing = await promote("--apply");
  expect(missing.code).toBe(1);
  expect(missing.text).toContain("create  agent-workflow main");
  expect(missing.text).toContain("MISSING model house, used by main");
  expect(await promote("--map", "model:house=fast")).toEqual({ code: 0, text: "create  agent-workflow main\n" });
  expect(await made()).toEqual([]);
  const done = await promote("--map", "model:house=fast", "--apply");
  expect(done).toMatchObject({ code: 0, text: expect.stringMatching(/Imported: agent-workflow main \(\d+\)/) });
  expect(await made()).toEqual([{ text: expect.stringContaining('"fast"') }]);
  expect((await promote("--map", "model:house=fast", "--apply")).text).toContain("same    agent-workflow main");
  expect((await promote("--map", "model:house=smart")).text).toContain("update  agent-workflow main: state ask");
});

it("says how a mapping is written, and what the server refuses", async () => {
  await expect(promote("--map", "house=fast")).rejects.toThrow("write kind:name=name here");
  await expect(promote("--map", "model:none=fast")).rejects.toThrow("PROMOTION_MAPPING_UNKNOWN");
});
