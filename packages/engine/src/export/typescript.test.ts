import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Definition } from "@oven/contract/workflow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createActor, fromPromise } from "xstate";
import { toTypeScript } from "./typescript.ts";
import { toXStateJson } from "./xstate-json.ts";

const definition: Definition = {
  name: "Paid */ orders\nprocess.exit(1)",
  initial: "ask",
  context: { src: "no node" },
  states: {
    ask: {
      entry: [{ type: "log", params: { level: "info", message: "asked" } }],
      invoke: {
        src: "agent.llm",
        input: { guard: { type: "no guard" } },
        onDone: [
          {
            target: "done",
            guard: { type: "condition", params: { key: "$.ask_output.ok", operator: "==", value: true } },
          },
          { target: "failed" },
        ],
      },
    },
    done: { type: "final" },
    failed: { type: "final" },
  },
};

describe("a definition as a TypeScript module", () => {
  let folder: string;
  beforeAll(() => {
    // Not inside the package: checks of the source may run at the same time.
    folder = mkdtempSync(join(tmpdir(), "oven-generated-"));
    // Its import of XState is the package's.
    symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("runs in XState with the nodes, guards and actions it names", async () => {
    const file = join(folder, "machine.ts");
    writeFileSync(file, toTypeScript(definition));
    const { config, createWorkflowMachine } = await import(file);
    expect(config).toEqual(toXStateJson(definition));
    const said: unknown[] = [];
    const machine = createWorkflowMachine({
      actors: { "agent.llm": fromPromise(async () => ({ ok: true })) },
      guards: { condition: ({ event }: { event: { output: { ok: boolean } } }) => event.output.ok },
      actions: { log: (_args: unknown, params: unknown) => said.push(params) },
    });
    const actor = createActor(machine).start();
    await expect.poll(() => actor.getSnapshot().value).toBe("done");
    expect(said).toEqual([{ level: "info", message: "asked" }]);
  });

  it("names each of them once and nothing that is data, and lets no text out of its comment", () => {
    const source = toTypeScript(definition);
    expect(source).toContain('actors: { "agent.llm": AnyActorLogic };');
    expect(source).toContain('guards: { "condition": Guard };');
    expect(source).toContain('actions: { "log": Action };');
    expect(source.split("\n")[0]).toMatch(
      /^\/\* Paid \* \/ orders process\.exit\(1\), content hash [0-9a-f]{64}\. \*\/$/,
    );
  });
});
