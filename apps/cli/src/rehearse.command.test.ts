import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rehearseCommand } from "./rehearse.command.ts";
import { serve } from "./testing/serve.ts";

let oven: TestOven;
let server: Awaited<ReturnType<typeof serve>>;
let workflow: string;
const folder = mkdtempSync(join(tmpdir(), "oven-rehearse-"));

const isLarge = (limit: number) => ({
  initial: "sum",
  states: {
    sum: {
      invoke: {
        src: "core.transform",
        input: { mapping: { n: "$.trigger.n" } },
        onDone: [{ target: "large", guard: { type: "cel", params: { expression: `output.n > ${limit}.0` } } }, "small"],
      },
    },
    large: { type: "final", outcome: "large" },
    small: { type: "final", outcome: "small" },
  },
});

beforeAll(async () => {
  oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }) });
  server = await serve((request) => oven.handle(request));
  const made = await oven.call("POST", "workflows", { name: "Sizes", definition: isLarge(2) });
  workflow = made.body.slug;
  for (const n of [1, 2, 3, 4]) {
    const run = await oven.call("POST", `workflows/${workflow}/execute?wait=30`, { input: { n } });
    expect(run.body.status).toBe("completed");
  }
});
afterAll(async () => {
  await server.close();
  await oven.stop();
  rmSync(folder, { recursive: true });
});

async function run(...more: string[]): Promise<{ code: number; said: string }> {
  let said = "";
  const args = [workflow, "--plain", "--url", `http://127.0.0.1:${server.port}`, "--key", TEST_KEY, ...more];
  const code = await rehearseCommand.run(args, (text) => {
    said += text;
  });
  return { code, said };
}

it("says that the published definition gives the same", async () => {
  expect(await run()).toEqual({ code: 0, said: "sizes: 4 past runs: 4 same\n" });
});

it("names the runs that a file would end otherwise, and fails under the share asked for", async () => {
  const file = join(folder, "changed.json");
  writeFileSync(file, JSON.stringify(isLarge(3)));
  const { code, said } = await run("--file", file);
  expect(code).toBe(1);
  expect(said).toMatch(
    /^sizes: 4 past runs: (3 same, 1 outcome|1 outcome, 3 same)\n {2}\d+: ended as large, would end as small\n$/,
  );
  expect((await run("--file", file, "--fail-under", "0.75")).code).toBe(0);
  expect((await run("--file", file, "--limit", "1")).said).toContain("1 past runs: 1 same");
});

it("goes only through runs that were given what a case of a dataset gives, and says of which there is none", async () => {
  const { body } = await oven.call("GET", `workflows/${workflow}`);
  const target = { kind: "workflow", id: body.id };
  const dataset = await oven.call("POST", "eval-datasets", { name: "Sizes", slug: "sizes-cases", target });
  for (const n of [3, 77])
    await oven.call("POST", `eval-datasets/${dataset.body.id}/cases`, { name: `${n}`, input: { n }, expectations: [] });
  expect((await run("--dataset", "sizes-cases")).said).toBe(
    "sizes: 1 past runs: 1 same\n  no run was given what 1 cases of the dataset give\n",
  );
  await expect(run("--dataset", "none")).rejects.toThrow("none");
});

it("refuses what it cannot read", async () => {
  await expect(run("--status", "odd")).rejects.toThrow("--status: use one of all, completed, failed");
  await expect(run("--live", "much")).rejects.toThrow("--live: much is not a number");
  await expect(run("--limit", "many")).rejects.toThrow("--limit: many is not a number");
});
