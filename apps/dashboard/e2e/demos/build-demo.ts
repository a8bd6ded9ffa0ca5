import type { Json, JsonObject } from "@oven/contract";
import { type Definition, toTransitions } from "@oven/contract/workflow";
import type { Page } from "playwright-core";
import { Forms } from "./forms.ts";
import type { Hand } from "./hand.ts";

export const DEMOS = ["order-triage", "support-reply", "refund"] as const;
export type DemoSlug = (typeof DEMOS)[number];

/** What a demo says at a place: nothing is typed here that is not there. */
function at(definition: Definition, ...path: string[]): Json {
  let value: unknown = definition;
  for (const part of path) value = (value as Record<string, unknown>)[part]; // cast: the path is of this definition
  if (value === undefined) throw new Error(`the demo has nothing at ${path.join(".")}`);
  return value as Json; // cast: a definition is JSON
}

async function setWorkflow(hand: Hand, forms: Forms, definition: Definition): Promise<void> {
  await hand.open(null);
  await forms.more();
  await forms.text("Id", String(definition.id));
  await forms.json("Payload schema", at(definition, "payloadSchema"));
  await forms.json("Output schema", at(definition, "outputSchema"));
  await forms.json("Agent config", at(definition, "agentConfig"));
  if (definition.streamingEnabled === true) await forms.on("Streaming enabled");
  if (definition.mcpExport === true) await forms.on("MCP export");
  if (definition.entry !== undefined) await forms.json("Entry", at(definition, "entry"));
}

/** Opens a state that came with a name of its own, and calls it what the demo calls it. */
async function call(hand: Hand, forms: Forms, definition: Definition, from: string, to: string): Promise<void> {
  await hand.open(from);
  await forms.text("Label", String(at(definition, "states", to, "label")));
  await forms.rename(from, to);
}

async function orderTriage(hand: Hand, forms: Forms, demo: Definition): Promise<void> {
  const input = (state: string, key: string): Json => at(demo, "states", state, "invoke", "input", key);
  await hand.add("core.condition", "condition", null);
  await call(hand, forms, demo, "condition", "known");
  await forms.text("Key", String(input("known", "key")));
  await forms.choose("Operator", String(input("known", "operator")));
  await hand.add("core.transform", "transform", null);
  await call(hand, forms, demo, "transform", "ticket");
  await forms.json("Mapping", input("ticket", "mapping"));
  await hand.connect("known", "any outcome", "ticket");
  await hand.add("agent.llm", "llm", "ticket");
  await call(hand, forms, demo, "llm", "classify");
  await forms.text("System", String(input("classify", "system")));
  await forms.text("Prompt", String(input("classify", "prompt")));
  await forms.more();
  await forms.json("Output schema", input("classify", "outputSchema"));
  for (const end of ["routine", "urgent"]) {
    await hand.add("final", "done", end === "routine" ? "classify" : null);
    await call(hand, forms, demo, "done", end);
    await forms.json("Output", at(demo, "states", end, "output"));
  }
  // Urgent ones go another way: a branch before the one that takes everything else.
  await hand.open("classify");
  await forms.unfold(/^Branches/);
  await hand.press("Add a branch");
  await forms.text("Key", "$.classify_output.object.urgent");
  await forms.choose("Operator", "==");
  await forms.choose("Value", "true");
  await hand.connect("classify", "urgent is true", "urgent");
}

async function supportReply(hand: Hand, forms: Forms, demo: Definition): Promise<void> {
  const input = (state: string, key: string): Json => at(demo, "states", state, "invoke", "input", key);
  await hand.add("agent.prompt", "prompt", null);
  await hand.open("prompt");
  await forms.text("Label", String(at(demo, "states", "prompt", "label")));
  await forms.text("System", String(input("prompt", "system")));
  await forms.text("Template", String(input("prompt", "template")));
  await hand.add("agent.toolLoop", "toolLoop", "prompt");
  await call(hand, forms, demo, "toolLoop", "draft");
  await forms.text("Prompt", String(input("draft", "prompt")));
  await forms.list("Tools", ["orders.get", "orders.policy"]);
  await forms.more();
  await forms.text("Max iterations", String(input("draft", "maxIterations")));
  await hand.add("agent.humanReview", "humanReview", "draft");
  await call(hand, forms, demo, "humanReview", "review");
  await forms.text("Title", String(input("review", "title")));
  await forms.text("Show", String(input("review", "show")));
  await forms.json("Schema", input("review", "schema"));
  await forms.more();
  await forms.json("Context", input("review", "context"));
  await hand.add("final", "done", "review");
  await hand.open("done");
  await forms.text("Label", String(at(demo, "states", "done", "label")));
  await forms.json("Output", at(demo, "states", "done", "output"));
  await hand.add("agent.llm", "llm", "review");
  await call(hand, forms, demo, "llm", "revise");
  await forms.text("Prompt", String(input("revise", "prompt")));
  await hand.connect("revise", "then", "review");
}

async function refund(hand: Hand, forms: Forms, demo: Definition): Promise<void> {
  const input = (state: string, key: string): Json => at(demo, "states", state, "invoke", "input", key);
  await hand.add("agent.llm", "llm", null);
  await call(hand, forms, demo, "llm", "ask");
  await forms.list("Tools", ["orders.get", "orders.refund"]);
  await hand.add("final", "done", "ask");
  await hand.open("done");
  await forms.text("Label", String(at(demo, "states", "done", "label")));
  await forms.json("Output", at(demo, "states", "done", "output"));
  await hand.add("agent.toolExecutor", "toolExecutor", null);
  await call(hand, forms, demo, "toolExecutor", "lookUp");
  await forms.list("Tools", ["orders.get"]);
  await hand.connect("lookUp", "then", "ask");
  await hand.add("agent.humanReview", "humanReview", null);
  await call(hand, forms, demo, "humanReview", "review");
  await forms.text("Title", String(input("review", "title")));
  await forms.more();
  await forms.json("Tool call", input("review", "toolCall"));
  await forms.json("Context", input("review", "context"));
  await hand.add("agent.toolExecutor", "toolExecutor", "review");
  await call(hand, forms, demo, "toolExecutor", "pay");
  await forms.list("Tools", ["orders.refund"]);
  await forms.more();
  await forms.json("Approved", input("pay", "approved"));
  await hand.add("agent.llm", "llm", "pay");
  await call(hand, forms, demo, "llm", "answer");
  await hand.connect("answer", "then", "done");
  await hand.add("agent.llm", "llm", "review");
  await call(hand, forms, demo, "llm", "declined");
  await forms.text("Prompt", String(input("declined", "prompt")));
  await hand.connect("declined", "then", "done");
  // Two branches before the one that takes everything else: a refund goes to a person, other tools run.
  const branches = at(demo, "states", "ask", "invoke", "onDone");
  const guards = (Array.isArray(branches) ? branches : []).map((branch) => (branch as JsonObject).guard ?? null); // cast: both are objects
  for (const [index, target] of (["review", "lookUp"] as const).entries()) {
    await hand.open("ask");
    await forms.unfold(/^Branches/);
    await hand.press("Add a branch");
    await forms.json("Condition", guards[index] ?? null);
    // Closed again: the next one's form looks the same.
    await hand.press(new RegExp(`: condition of branch ${index + 1} when it is done$`));
    await hand.connect("ask", index === 0 ? "tool is orders.refund" : "not toolCalls is empty", target);
  }
}

const BUILDERS: Record<DemoSlug, (hand: Hand, forms: Forms, demo: Definition) => Promise<void>> = {
  "order-triage": orderTriage,
  "support-reply": supportReply,
  refund,
};

/** Builds a demo on the canvas that is open and empty. */
export async function buildDemo(slug: DemoSlug, demo: Definition, page: Page, hand: Hand): Promise<void> {
  const forms = new Forms(page, hand);
  await hand.clear();
  await BUILDERS[slug](hand, forms, demo);
  await setWorkflow(hand, forms, demo);
}

/** A definition without how it looks, with transitions in one of their equal forms and keys in order. */
export function toBare(definition: unknown): Json {
  const walk = (value: Json, key: string): Json => {
    if (["onDone", "onError", "always"].includes(key)) {
      const branches = toTransitions(value as never); // cast: a transition of a valid definition
      return branches.map((branch) => walk(branch as unknown as Json, "")); // cast: JSON
    }
    if (Array.isArray(value)) return value.map((entry) => walk(entry, ""));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).filter(([name]) => name !== "meta" || key !== "(root)");
    const sorted = entries.sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, child]) => [name, walk(child, name)]));
  };
  return walk(definition as Json, "(root)"); // cast: a definition is JSON
}
