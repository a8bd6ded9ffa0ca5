import type { GeneratedFile } from "./generated-file.ts";
import { withEntry } from "./list-entry.ts";
import { toKebab, toTitle } from "./names.ts";

interface Home {
  folder: string;
  /** The file that lists every node of the module. */
  list: string;
  kind: "data" | "tool";
  toTest(node: NodeNames): string;
}

interface NodeNames {
  id: string;
  variable: string;
  file: string;
  state: string;
  title: string;
}

const HOMES: Record<string, Home> = {
  core: { folder: "packages/module-workflows/src/nodes", list: "core-nodes.ts", kind: "data", toTest: coreTest },
  agent: {
    folder: "packages/module-workflow-agents/src/nodes",
    list: "agent-nodes.ts",
    kind: "tool",
    toTest: agentTest,
  },
};

/**
 * A new node type: its file, its test, and its line in the module's list.
 * @param id such as `core.shout` or `agent.translate`
 * @param read the text of a file of the repository
 */
export function generateNode(id: string, read: (path: string) => string): GeneratedFile[] {
  const [, category = "", name = ""] = /^([a-z]+)\.([a-z][A-Za-z0-9]*)$/.exec(id) ?? [];
  if (name === "")
    throw new Error(`${JSON.stringify(id)} is not a node id; write it like core.shout or agent.sendMail`);
  const home = HOMES[category];
  if (home === undefined) {
    throw new Error(
      `There is no list for nodes of ${category}. Known: ${Object.keys(HOMES).join(", ")}; a module of its own names its nodes in its module file.`,
    );
  }
  const file = toKebab(name);
  const node: NodeNames = { id, variable: `${name}Node`, file, state: name, title: toTitle(file) };
  const listPath = `${home.folder}/${home.list}`;
  return [
    { path: `${home.folder}/${file}.node.ts`, text: nodeSource(node, category, home.kind), kind: "new" },
    { path: `${home.folder}/${file}.node.test.ts`, text: home.toTest(node), kind: "new" },
    {
      path: listPath,
      text: withEntry(read(listPath), listPath, { variable: node.variable, from: `./${file}.node.ts` }),
      kind: "changed",
    },
  ];
}

function nodeSource({ id, variable, title }: NodeNames, category: string, kind: string): string {
  return `import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";

export const ${variable} = defineNode({
  id: "${id}",
  version: 1,
  title: "${title}",
  docs: "Hands \`text\` on unchanged.",
  category: "${category}",
  kind: "${kind}",
  effect: "pure",
  input: z.strictObject({ text: z.string().describe("What to hand on") }),
  output: z.strictObject({ text: z.string() }),
  async run({ input }) {
    return done({ text: input.text });
  },
});
`;
}

function coreTest({ id, state }: NodeNames): string {
  return `import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven } from "@oven/testing";
import { expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

it("${id} hands its text on in a real run", async () => {
  const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
  const oven = await startTestOven({ createRuntime, modules });
  try {
    const definition = {
      initial: "${state}",
      states: {
        ${state}: { invoke: { src: "${id}", input: { text: "hello" }, onDone: "end" } },
        end: { type: "final", output: "$.${state}_output.text" },
      },
    };
    const created = await oven.call("POST", "workflows", { name: "Try it", slug: "try-it", definition });
    expect(created.status).toBe(201);
    const run = await oven.call("POST", "workflows/try-it/execute?wait=20", { input: {} });
    expect(run.body).toMatchObject({ status: "completed", output: "hello" });
  } finally {
    await oven.stop();
  }
});
`;
}

function agentTest({ id, variable, file }: NodeNames): string {
  return `import { expect, it } from "vitest";
import { ${variable} } from "./${file}.node.ts";
import { createNodeContext } from "./testing/node-context.ts";

it("${id} hands its text on", async () => {
  const context = createNodeContext(${variable}, { input: { text: "hello" } });
  expect(await ${variable}.run(context)).toEqual({ type: "done", output: { text: "hello" } });
});

it("${id} refuses an input without a text", () => {
  expect(${variable}.input.safeParse({}).success).toBe(false);
});
`;
}
