import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startInstallation } from "@oven/module-promotion/testing";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serve } from "./testing/serve.ts";
import { typesCommand } from "./types.command.ts";

const packages = join(import.meta.dirname, "../../../packages");
const definition = {
  initial: "done",
  payloadSchema: {
    type: "object",
    required: ["order"],
    additionalProperties: false,
    properties: { order: { type: "integer" }, lines: { type: "array", items: { $ref: "#/$defs/line" } } },
    $defs: { line: { type: "object", properties: { sku: { type: "string" }, inside: { $ref: "#/$defs/line" } } } },
  },
  outputSchema: { type: "object", required: ["refunded"], properties: { refunded: { type: ["integer", "null"] } } },
  states: { done: { type: "final", output: { refunded: "$.trigger.order" } } },
};
/** Compiles where the types are as they should be. */
const PROGRAM = `
import { createOvenClient } from "@oven/client";
import "./workflows.ts";

const { agentWorkflows } = createOvenClient({ url: "http://localhost", key: "" });
export const run = await agentWorkflows.run("refund", { order: 7, lines: [{ sku: "a" }] });
export const refunded: number | null = run.output.refunded;
export const unknown: unknown = (await agentWorkflows.run("another", { anything: 1 })).output;
// @ts-expect-error it needs an order
await agentWorkflows.start("refund", {});
// @ts-expect-error an order is a number
await agentWorkflows.start("refund", { order: "7" });
// @ts-expect-error it takes nothing else
await agentWorkflows.start("refund", { order: 7, colour: "red" });
`;

let oven: TestOven;
let http: Awaited<ReturnType<typeof serve>>;
let folder: string;
let file: string;
beforeAll(async () => {
  oven = await startInstallation();
  http = await serve((request) => oven.handle(request));
  folder = await mkdtemp(join(tmpdir(), "oven-types-"));
  file = join(folder, "workflows.ts");
  const made = await oven.call("POST", "agent-workflows", { name: "Refund", description: "Pays back", definition });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { payloadSchema: _, outputSchema: __, ...untyped } = definition;
  await oven.call("POST", "workflows", { name: "Plain", definition: untyped });
});
afterAll(async () => {
  await http.close();
  await oven.stop();
  await rm(folder, { recursive: true });
});

async function types(...args: string[]) {
  const lines: string[] = [];
  const server = ["--url", `http://127.0.0.1:${http.port}`, "--key", TEST_KEY];
  const code = await typesCommand.run([...server, ...args], (text) => lines.push(text));
  return { code, text: lines.join("") };
}

it("writes what each workflow takes and gives, which the client's calls are then checked against", async () => {
  expect(await types("--out", file)).toEqual({ code: 0, text: "" });
  const text = await readFile(file, "utf8");
  expect(text).toContain("Pays back");
  expect(text).toContain('"plain": {\n      input: Record<string, unknown>;\n      output: unknown;');
  await mkdir(join(folder, "node_modules/@oven"), { recursive: true });
  await symlink(join(packages, "client"), join(folder, "node_modules/@oven/client"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "program.ts"), PROGRAM);
  const base = join(packages, "../tsconfig.base.json");
  const options = {
    noEmit: true,
    preserveSymlinks: false,
    types: ["node"],
    typeRoots: [join(packages, "../node_modules/@types")],
  };
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: base, compilerOptions: options, files: ["program.ts"] }),
  );
  const tsc = join(packages, "../node_modules/.bin/tsc");
  const compiled = promisify(execFile)(tsc, ["-p", folder]).catch(({ stdout }: { stdout: string }) => ({ stdout }));
  expect((await compiled).stdout).toBe("");
});

it("says with --check whether a file is as the workflows are", async () => {
  expect(await types("--out", file, "--check")).toEqual({ code: 0, text: "" });
  await oven.call("PUT", "agent-workflows/refund", { definition: { ...definition, outputSchema: { type: "object" } } });
  expect(await types("--out", file, "--check")).toMatchObject({
    code: 1,
    text: expect.stringContaining("has other types"),
  });
  expect(await types("--out", join(folder, "none.ts"), "--check")).toMatchObject({
    code: 1,
    text: expect.stringContaining("is missing"),
  });
});
