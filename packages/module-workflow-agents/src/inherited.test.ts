import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentOven, startAgentOven } from "./agents/testing/agent-oven.ts";

const PACKAGES = join(import.meta.dirname, "../..");

/** What a package hands to others, by name. */
function facesOf(name: string): string[] {
  const index = readFileSync(join(PACKAGES, name, "src/index.ts"), "utf8");
  return [...index.matchAll(/export (?!type)\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
    list
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "" && !entry.startsWith("type ")),
  );
}

/** Functions, classes and constants that the agent module declares at the top of its files, by name. */
function declarationsOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes("testing"),
  );
  return new Map(
    files.flatMap((path) =>
      [
        ...readFileSync(join(folder, path), "utf8").matchAll(
          /^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)/gm,
        ),
      ].map(([, name = ""]): [string, string] => [name, path]),
    ),
  );
}

const GRAPH = {
  initial: "rounds",
  states: {
    rounds: {
      loop: {
        type: "forEach",
        collection: "$.trigger.lines",
        itemVariable: "line",
        bodyInitial: "take",
        bodyStates: {
          take: { invoke: { src: "core.transform", input: { mapping: { got: "{{ $.line.name }}!" } }, onDone: "got" } },
          got: { type: "final", output: "$.take_output.got" },
        },
        onDone: "sum",
      },
    },
    sum: { invoke: { src: "core.transform", input: { mapping: { all: "$.rounds_output" } }, onDone: "done" } },
    done: { type: "final", output: "$.sum_output.all" },
  },
};

describe("the module of agent workflows", () => {
  let oven: AgentOven;
  beforeAll(async () => {
    oven = await startAgentOven(() => ({ status: 400, message: "no model is asked" }));
  });
  afterAll(() => oven.stop());

  it("has no second copy of what the engine and the module of workflows hand out [004-213]", () => {
    const inherited = [...facesOf("engine"), ...facesOf("module-workflows")];
    expect(inherited).toEqual(expect.arrayContaining(["readPath", "parsePath", "applyOps", "expandInput"]));
    const own = declarationsOf(join(PACKAGES, "module-workflow-agents/src"));
    expect(own.size).toBeGreaterThan(100);
    expect(inherited.flatMap((name) => (own.has(name) ? [`${name} in ${own.get(name)}`] : []))).toEqual([]);
  });

  it("runs loops, accumulation and paths as the other does, on the same node types [004-213]", async () => {
    const input = { lines: [{ name: "one" }, { name: "two" }] };
    const outputs = [];
    for (const kind of ["workflows", "agent-workflows"]) {
      const made = await oven.call("POST", kind, { name: "Both", definition: GRAPH });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      const { body } = await oven.call("POST", `${kind}/${made.body.id}/execute?wait=30`, { input });
      expect(body.status, JSON.stringify(body)).toBe("completed");
      outputs.push(body.output);
    }
    expect(outputs[1]).toEqual(outputs[0]);
    expect(JSON.stringify(outputs[0])).toMatch(/one!.*two!/);
    const { body } = await oven.call("GET", "node-types");
    const ids = (body as { id: string }[]).map(({ id }) => id); // cast: the shape of the route
    expect(ids).toEqual(expect.arrayContaining(["core.transform", "agent.llm"]));
    expect(ids).toHaveLength(new Set(ids).size);
  });
});
