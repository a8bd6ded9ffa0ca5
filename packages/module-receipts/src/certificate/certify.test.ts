import type { JsonObject } from "@oven/contract";
import { type Certificate, checkCertificate } from "@oven/receipts";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { REFUND, ReceiptOven } from "../issue/testing/receipt-oven.ts";

let oven: ReceiptOven;
beforeAll(async () => {
  oven = await ReceiptOven.start();
});
afterAll(() => oven.oven.stop());
afterEach(async () => {
  await oven.oven.db.query("delete from graph_policies");
  oven.services.workflowPlatform.policies.forget();
});

const FINANCE = { kind: "review-before", target: { nodeTypes: ["shop.refund"] }, role: "finance" };

async function addPolicy(name: string, rule: JsonObject, severity: "error" | "warning" = "error"): Promise<void> {
  await oven.call("POST", "graph-policies", { name, rule, severity });
}

async function certificateOf(definition: JsonObject): Promise<Certificate | undefined> {
  const { run } = await oven.run(definition, { amount: 5, items: [1, 2] });
  await oven.approveFamily(run);
  const result = await oven.verify(run);
  expect(result.checks.filter(({ ok }) => !ok)).toEqual([]);
  const { certificate } = JSON.parse((await oven.file(run, "?certificate=true")).toString());
  return certificate as Certificate | undefined; // cast: the verifier has read it above
}

it("shows that no refund is paid without finance", async () => {
  await addPolicy("No refund without finance", FINANCE);
  const certificate = await certificateOf(REFUND);
  if (certificate === undefined) throw new Error("there is no certificate");
  expect(checkCertificate(certificate).claims).toEqual([
    {
      policy: "No refund without finance",
      says: 'no way to {"nodeTypes":["shop.refund"]} without a review by finance',
      problem: undefined,
    },
  ]);
  // The evidence is needed: with the target in it, or without what is reachable, nothing is shown.
  const [claim] = certificate.claims;
  if (claim === undefined || !("reachable" in claim)) throw new Error("there is no evidence");
  for (const reachable of [[...claim.reachable, ...claim.targets], claim.reachable.slice(0, -1)])
    expect(checkCertificate({ ...certificate, claims: [{ ...claim, reachable }] }).claims[0]?.problem).toBeDefined();
});

it("shows every kind of rule that a graph can show, and says of which it is silent", async () => {
  await addPolicy("Finance", FINANCE);
  await addPolicy("By tag", { kind: "review-before", target: { tags: ["money"] } });
  await addPolicy("Bounded", { kind: "bounded-loops", maxIterations: 10 });
  await addPolicy("No SQL", { kind: "forbidden-nodes", nodeTypes: ["core.sql"] });
  await addPolicy("Untrusted", { kind: "untrusted-flow" });
  await addPolicy("Models", { kind: "allowed-models", models: ["openai:*"] });
  await addPolicy("By legal", { ...FINANCE, role: "legal" }, "warning");
  const certificate = await certificateOf(REFUND);
  expect(certificate?.claims.map(({ policy }) => policy)).toEqual([
    "Finance",
    "By tag",
    "Bounded",
    "No SQL",
    "Untrusted",
  ]);
  expect(certificate?.left).toEqual([
    { policy: "Models", why: "a rule of the kind allowed-models is about more than the graph" },
    { policy: "By legal", why: expect.stringContaining("it does not hold: shop.refund is reached without a review") },
  ]);
});

it("has the ways of loops, parallel regions, switched-off steps and called workflows", async () => {
  await addPolicy("Finance", FINANCE);
  await addPolicy("Bounded", { kind: "bounded-loops" });
  const { workflow } = await oven.run(REFUND);
  const certificate = await certificateOf({
    initial: "both",
    states: {
      both: {
        type: "parallel",
        states: {
          left: { initial: "wait", states: { wait: { always: "over" }, over: { type: "final" } } },
          right: { initial: "ready", states: { ready: { type: "final" } } },
        },
        onDone: "each",
      },
      each: {
        loop: {
          ...{ type: "forEach", collection: "$.items", bodyInitial: "step" },
          bodyStates: { step: { always: "stop" }, stop: { type: "final" } },
          onDone: "off",
        },
      },
      off: { disabled: true, invoke: { src: "shop.refund", input: { amount: 1 }, onDone: "call" } },
      call: {
        invoke: {
          src: "core.callWorkflow",
          input: { kind: "agent-workflow", workflow, input: { amount: 1 } },
          onDone: "end",
        },
      },
      end: { type: "final", output: "$.call_output" },
    },
  });
  expect(certificate?.claims.map(({ policy }) => policy)).toEqual(["Finance", "Bounded"]);
  expect(certificate?.graph.places.map(({ label }) => label)).toContain("call/pay");
});

it("is not made where there are no policies", async () => {
  expect(await certificateOf(REFUND)).toBeUndefined();
});
