import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createRuntime,
  createSystemModule,
  type ModuleDefinition,
} from "../../../packages/module-registry/src/index.ts";
import { createRolesModule } from "../../../packages/module-roles/src/index.ts";
import { startTestOven, type TestOven } from "../../../packages/testing/src/index.ts";
import { generateNode } from "./generate-node.ts";
import { formatSource, writeFiles } from "./generated-file.ts";

const root = join(import.meta.dirname, "../../..");
const PACKAGE = "packages/module-workflows";

/** module-workflows as it would be after `pnpm gen node core.shout` and one edit, loaded from a copy of its folder. */
async function withShoutNode(copy: string): Promise<ModuleDefinition> {
  cpSync(join(root, PACKAGE), join(copy, PACKAGE), {
    recursive: true,
    filter: (path) => basename(path) !== "node_modules",
  });
  symlinkSync(join(root, PACKAGE, "node_modules"), join(copy, PACKAGE, "node_modules"));
  const files = generateNode("core.shout", (path) => readFileSync(join(copy, path), "utf8"));
  writeFiles(
    copy,
    files.map((file) => ({ ...file, text: formatSource(root, file) })),
  );
  const source = join(copy, PACKAGE, "src/nodes/shout.node.ts");
  writeFileSync(source, readFileSync(source, "utf8").replace("text: input.text", "text: input.text.toUpperCase()"));
  const url = pathToFileURL(join(copy, PACKAGE, "src/workflows.module.ts")).href;
  const { createWorkflowsModule } = await import(url);
  return createWorkflowsModule();
}

describe("a new node type: one file, one test, one line", () => {
  let copy: string;
  let oven: TestOven;
  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), "oven-new-node-"));
    const modules = [createSystemModule(), createRolesModule(), await withShoutNode(copy)];
    oven = await startTestOven({ createRuntime, modules });
  });
  afterAll(async () => {
    await oven.stop();
    rmSync(copy, { recursive: true, force: true });
  });

  const definition = (input: object) => ({
    initial: "shout",
    states: {
      shout: { invoke: { src: "core.shout", input, onDone: "end" } },
      end: { type: "final", output: "$.shout_output.text" },
    },
  });

  it("shows in /api/node-types with its schemas", async () => {
    const { body } = await oven.call("GET", "node-types?category=core");
    const shown = body.find(({ id }: { id: string }) => id === "core.shout");
    expect(shown).toMatchObject({
      title: "Shout",
      module: "module-workflows",
      effect: "pure",
      inputSchema: { properties: { text: { type: "string" } }, required: ["text"] },
    });
  });

  it("validates: a wrong input is refused with its path, a right one is not", async () => {
    const wrong = await oven.call("POST", "workflows/validate", { definition: definition({ txt: "hello" }) });
    expect(wrong.body.problems[0]).toMatchObject({ path: expect.stringContaining("$.states.shout.invoke.input") });
    const right = await oven.call("POST", "workflows/validate", { definition: definition({ text: "hello" }) });
    expect(right.body).toEqual({ problems: [] });
  });

  it("runs", async () => {
    const created = await oven.call("POST", "workflows", {
      name: "Loud",
      definition: definition({ text: "{{ $.trigger.word }}!" }),
    });
    expect(created.status).toBe(201);
    const run = await oven.call("POST", "workflows/loud/execute?wait=20", { input: { word: "hello" } });
    expect(run.body).toMatchObject({ status: "completed", output: "HELLO!" });
  });
});
