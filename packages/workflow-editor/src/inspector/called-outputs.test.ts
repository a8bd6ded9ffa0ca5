import type { NodeType } from "@oven/contract/node";
import { expect, it } from "vitest";
import { listCalled, toCalled } from "./called-outputs.ts";

const type = (id: string, called?: string) =>
  ({
    id,
    outputSchema: {
      properties: {
        output:
          called === undefined ? {} : { "x-type-from": called === "tool" ? [{ called }, { sample: "x" }] : { called } },
      },
    },
  }) as unknown as NodeType; // cast: the parts that are read
const TYPES = [
  type("core.callWorkflow", "workflow"),
  type("agent.subagent", "agent"),
  type("mcp.callTool", "tool"),
  type("tables.find", "table"),
  type("core.log"),
];
const step = (src: string, input: object) => ({ invoke: { src, input } });

it("lists what steps call by name, each once", () => {
  const states = {
    a: step("core.callWorkflow", { workflow: "sums" }),
    b: step("core.callWorkflow", { workflow: 7, kind: "agent-workflow" }),
    c: {
      states: {
        d: step("agent.subagent", { agent: "shop assistant" }),
        e: step("core.callWorkflow", { workflow: "sums" }),
      },
    },
    f: step("core.callWorkflow", { workflow: "$.trigger.which" }),
    h: step("mcp.callTool", { tool: "mcp.shop.find" }),
    i: step("mcp.callTool", { tool: "{{ $.trigger.tool }}" }),
    j: step("tables.find", { table: "customers" }),
    g: step("core.log", { workflow: "other" }),
  };
  expect(listCalled({ states } as never, TYPES)).toEqual([
    "agent-workflows/7",
    "agents/shop%20assistant",
    "tables/customers",
    "tools/mcp.shop.find",
    "workflows/sums",
  ]);
});

it("does not guess a name that is computed", () => {
  for (const workflow of ["$.trigger.x", "a {{ $.b }}", "", null])
    expect(toCalled("workflow", { workflow })).toBeNull();
});
