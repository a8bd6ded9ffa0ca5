import { describe, expect, it } from "vitest";
import { canonical, type Json } from "./canonical.ts";
import type { Certificate, Claim } from "./certificate.ts";
import { makeReceipt } from "./testing/make-receipt.ts";
import { verifyReceipt } from "./verify.ts";

/** start → ask (review by finance) → pay → end; what ask refuses ends, too. */
const ASK = 1;
const PAY = 4;
const sound: Certificate = {
  ...{ format: "oven-certificate", version: 1 },
  definition: {
    initial: "ask",
    states: {
      ask: {
        invoke: {
          ...{ src: "agent.humanReview", input: { assignees: ["role:finance"] } },
          onDone: [{ target: "end", guard: { type: "condition" } }, "pay"],
        },
      },
      pay: { invoke: { src: "shop.refund", onDone: "end" } },
      end: { type: "final" },
    },
  },
  graph: {
    places: [
      { label: "(start)", part: "state" },
      { label: "ask", part: "state", node: "agent.humanReview" },
      { label: "ask", part: "done" },
      { label: "ask", part: "out" },
      { label: "pay", part: "state", node: "shop.refund" },
      { label: "pay", part: "done" },
      { label: "pay", part: "out" },
      { label: "end", part: "state" },
    ],
    edges: [
      { from: 0, to: 1 },
      ...[
        { from: 1, to: 2 },
        { from: 1, to: 3 },
      ],
      { from: 2, to: 7 },
      { from: 2, to: 4, review: ["role:finance"] },
      ...[
        { from: 4, to: 5 },
        { from: 4, to: 6 },
      ],
      { from: 5, to: 7 },
    ],
  },
  claims: [
    {
      policy: "No refund without finance",
      rule: { kind: "review-before", target: { nodeTypes: ["shop.*"] }, role: "finance" },
      ...{ targets: [PAY], reachable: [0, 1, 2, 3, 7] },
    },
    { policy: "It ends", rule: { kind: "bounded-loops" }, ranks: [0, 1, 2, 3, 4, 5, 6, 7] },
    { policy: "No SQL", rule: { kind: "forbidden-nodes", nodeTypes: ["core.sql"] } },
    {
      policy: "Nothing untrusted is paid",
      rule: { kind: "untrusted-flow", sinks: { nodeTypes: ["shop.*"] } },
      ...{ sources: [ASK], starts: [2, 3], targets: [PAY], reachable: [2, 3, 7] },
    },
  ],
  left: [{ policy: "Only cheap models", why: "a rule of the kind allowed-models is about more than the graph" }],
};

/** What a receipt with this certificate is refused for. It is signed as it is: a checker that trusts the issuer finds nothing. */
function refusals(certificate: Certificate): string[] {
  return verifyReceipt(makeReceipt({ certificate })).checks.flatMap(({ ok, says }) => (ok ? [] : [says]));
}

function changed(change: (certificate: Certificate) => void): Certificate {
  const copy = structuredClone(sound);
  change(copy);
  return copy;
}

function claim<K extends Claim["rule"]["kind"]>({ claims }: Certificate, kind: K) {
  const found = claims.find(({ rule }) => rule.kind === kind);
  if (found === undefined) throw new Error(`there is no claim of the kind ${kind}`);
  return found as Extract<Claim, { rule: { kind: K } }>; // cast: found by its kind
}

it("is checked with its receipt, and names what it does not prove", () => {
  const { ok, checks, notes } = verifyReceipt(makeReceipt({ certificate: sound }));
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect(ok).toBe(true);
  expect(checks.map(({ says }) => says)).toContain(
    'policy "No refund without finance": no way to {"nodeTypes":["shop.*"]} without a review by finance',
  );
  expect(notes).toEqual([expect.stringContaining('Policy "Only cheap models" has no certificate')]);
});

describe("a claim that does not hold is refused, although it is signed", () => {
  it.each<[string, (certificate: Certificate) => void, string]>([
    [
      "evidence that leaves out what can be reached",
      (one) => void claim(one, "review-before").reachable.pop(),
      "end is reached from ask without a review that counts",
    ],
    [
      "evidence without the start",
      (one) => void Object.assign(claim(one, "review-before"), { reachable: [7] }),
      "(start) is a start and not in the evidence",
    ],
    [
      "a target that is left out",
      (one) => void Object.assign(claim(one, "review-before"), { targets: [] }),
      "pay is a target and not among the targets",
    ],
    [
      "a target that is reachable",
      (one) => void Object.assign(claim(one, "review-before"), { reachable: [0, 1, 2, 3, 4, 5, 6, 7] }),
      "pay can be reached without a review",
    ],
    [
      "a policy that asks for another role",
      (one) => void Object.assign(claim(one, "review-before").rule, { role: "legal" }),
      "pay is reached from ask without a review that counts",
    ],
    [
      "a review that anyone may decide",
      (one) => void one.graph.edges.splice(4, 1, { from: 2, to: 4, review: [] }),
      "pay is reached from ask without a review that counts",
    ],
    [
      "a review by a role that the definition does not ask",
      (one) => {
        one.graph.edges.splice(4, 1, { from: 2, to: 4, review: ["role:legal"] });
        claim(one, "review-before").rule.role = "legal";
      },
      "ask does not ask role:legal",
    ],
    [
      "a graph without a way that is drawn",
      (one) => void one.graph.edges.splice(7, 1),
      "the graph has no way from pay to end",
    ],
    [
      "a graph in which a step does something else",
      (one) => {
        const place = one.graph.places[PAY];
        if (place !== undefined) place.node = "core.noop";
      },
      "pay does not invoke in the graph what it invokes in the definition",
    ],
    [
      "a state that seems to wait for another one",
      (one) => {
        const place = one.graph.places[7];
        if (place !== undefined) place.joins = [PAY];
        claim(one, "review-before").reachable.pop();
      },
      "end has nothing to join",
    ],
    [
      "a graph without a state",
      (one) => void one.graph.places.splice(7, 1),
      "an edge leads to a place that is not there",
    ],
    ["a cycle", (one) => void one.graph.edges.push({ from: 5, to: 4 }), "nothing bounds how often pay follows pay"],
    [
      "a forbidden step",
      (one) => void Object.assign(claim(one, "forbidden-nodes").rule, { nodeTypes: ["shop.refund"] }),
      "pay is of the type shop.refund",
    ],
    [
      "a source whose successors are left out",
      (one) => void Object.assign(claim(one, "untrusted-flow"), { starts: [3] }),
      "what follows ask is no start",
    ],
  ])("%s", (_, change, refusal) => {
    expect(refusals(changed(change)).join("\n")).toContain(refusal);
  });

  it("a certificate of another definition", () => {
    const { body, file, ...more } = makeReceipt({ certificate: sound });
    const other = { ...sound, definition: { initial: "ask", states: {} } };
    const forged = { ...JSON.parse(file.toString()), certificate: other };
    const result = verifyReceipt({ ...more, file: Buffer.from(`${canonical(forged as Json)}\n`) });
    expect(result.checks.filter(({ ok }) => !ok).map(({ says }) => says)).toEqual([
      "the certificate is the one that was signed",
      "the certificate is about the definition that ran",
    ]);
  });
});
