import { describe, expect, it } from "vitest";
import { installedModules } from "./modules.ts";

/* A step does what it calls with the rights of a run: either its type says which permission that takes, or it stands here with why not. */

const OWN_RUN = "works on its own run alone";
const ASKS = "asks people, or waits";
const OUTSIDE = "what it may reach is the operator's to allow, and for policies to forbid";
const MODEL =
  "asking models, and what they are given to know, is what running an agent workflow is; budgets and limits bound it";
const CHILD = "each step of the run that it starts is checked, and bounded by this run";

const WITHOUT: Readonly<Record<string, string>> = {
  "core.condition": OWN_RUN,
  "core.transform": OWN_RUN,
  "core.setVariable": OWN_RUN,
  "core.emit": OWN_RUN,
  "core.code": "works on its own inputs alone, without any way to the outside",
  "core.log": OWN_RUN,
  "core.fail": OWN_RUN,
  "core.stop": OWN_RUN,
  "core.placeholder": OWN_RUN,
  "core.delay": ASKS,
  "core.waitUntil": ASKS,
  "core.waitForEvent": ASKS,
  "core.requestInput": ASKS,
  "core.callWorkflow": CHILD,
  "core.http": OUTSIDE,
  "core.sql": OUTSIDE,
  "core.resolveConfig": "definitions read configuration as $.config, too; secrets are not in it",
  "core.checkQuota": "counts what runs of the tenant have used",
  "core.trackUsage": "counts what runs of the tenant have used",
  "agent.llm": MODEL,
  "agent.prompt": OWN_RUN,
  "agent.toolLoop": "becomes a model step, agent.toolExecutor and the nodes of its stepTools",
  "agent.callerTools": "waits for the caller of the run, who alone may answer",
  "agent.code": "becomes agent.writeProgram, agent.runProgram, agent.toolExecutor and the nodes of its stepTools",
  "agent.writeProgram": MODEL,
  "agent.runProgram": "computes on its own inputs alone; agent.toolExecutor makes its calls",
  "agent.toolExecutor": "each tool that it calls is checked",
  "agent.humanReview": ASKS,
  "agent.memory.read": "the memory of its own agent or workflow; another user's takes agent-memory.read, see mayNeed",
  "agent.memory.write":
    "the memory of its own agent or workflow; another user's takes agent-memory.create, see mayNeed",
  "agent.embed": MODEL,
  "agent.rag": MODEL,
  "agent.imageGen": MODEL,
  "agent.subagent": CHILD,
  "data.extractHtml": OWN_RUN,
  "data.extractText": OUTSIDE,
  "data.htmlToMarkdown": OWN_RUN,
  "data.markdownToHtml": OWN_RUN,
  "data.store": OWN_RUN,
  "data.stopCheck": OWN_RUN,
  "chain.prepare": OWN_RUN,
  "chain.keep": OWN_RUN,
  "builder.applyRepair":
    "acts as the person who approved the repair, with what that person may do then, and not as the run",
  "system.events.types": "which events there are is for everybody who is signed in",
};

describe("node types", () => {
  const modules = installedModules({ demo: true });
  const nodes = modules.flatMap((module) => module.nodes);
  // As steps, operations need what their routes ask for.
  const operations = modules.flatMap(({ namespace, routes }) =>
    routes.flatMap(({ operation, raw, access }) =>
      operation === false || raw
        ? []
        : [{ id: `${namespace}.${operation}`, permissions: typeof access === "object" ? [access.permission] : [] }],
    ),
  );

  it("name the permission that they need, or an exception says why they need none", () => {
    const without = [...nodes, ...operations].filter(({ permissions = [] }) => permissions.length === 0);
    expect(without.map(({ id }) => id).toSorted()).toEqual(Object.keys(WITHOUT).toSorted());
  });

  it("name permissions that a module declares", () => {
    const declared = new Set(modules.flatMap(({ permissions }) => permissions.map(({ id }) => id)));
    const named = nodes.flatMap(({ permissions = [], mayNeed }) => [
      ...permissions,
      ...(mayNeed?.({ userId: 1 }) ?? []),
    ]);
    const further = modules.flatMap(({ routes }) => routes.flatMap(({ mayNeed = [] }) => mayNeed));
    expect([...named, ...further].filter((permission) => !declared.has(permission))).toEqual([]);
  });
});
