import type { Json } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type FlowiseContext, type Mapped, toStep } from "./flowise-context.ts";
import { type FlowiseNode, objectsIn, textOf } from "./flowise-document.ts";

/** Tools that a model here may call for one of Flowise. */
const EQUALS: Readonly<Record<string, string>> = {
  currentDateTime: "time.now",
  calculator: "math.calculate",
  webScraperTool: "web.fetch",
  googleCustomSearch: "search_web",
  braveSearchAPI: "search_web",
  serpAPI: "search_web",
  serper: "search_web",
  tavilyAPI: "search_web",
  searXNG: "search_web",
};
/** Flowise lets a model call tools as often as it likes. */
const MOST_ROUNDS = 100;

/** What a tool loop has for an agent's tools; undefined: it has none. @throws NoEquivalent */
export function toolsOf(
  node: FlowiseNode,
  { reporter }: FlowiseContext,
  notes: string[],
): Record<string, Json> | undefined {
  const { inputs, label, path, parent } = node;
  const given = objectsIn(inputs.agentTools);
  const open: string[] = [];
  const tools: string[] = [];
  const asked: string[] = [];
  for (const tool of given) {
    const name = textOf(tool.agentSelectedTool) || "tool";
    const ours = Object.hasOwn(EQUALS, name) ? EQUALS[name] : undefined;
    if (ours === undefined) {
      open.push(name);
      reporter.setting("tool", name, `Choose a tool that does the same for “${label}”, or add one.`, path);
      continue;
    }
    if (!tools.includes(ours)) tools.push(ours);
    // Within an iteration no person is asked.
    const asks = tool.agentSelectedToolRequiresHumanInput === true && parent === undefined;
    if (asks && !asked.includes(ours)) asked.push(ours);
    if (ours === "search_web") {
      const advice = `“${label}” searched the web with ${name}. Here it asks the SearXNG server that an operator names as SEARCH_URL of module-workflow-formats.`;
      reporter.setting("tool", name, advice, path);
    }
    notes.push(`Its tool ${name} is ${ours} here, which has settings and an answer of its own.`);
  }
  if (open.length > 0)
    throw new NoEquivalent(
      `its tools have to be chosen: ${open.join(", ")}. Replace it by a tool loop (agent.toolLoop) with them`,
    );
  if (tools.length === 0) return undefined;
  const needsApproval = asked.map((tool) => ({ tool }));
  return { tools, maxIterations: MOST_ROUNDS, ...(asked.length === 0 ? {} : { needsApproval }) };
}

interface Loop {
  input: Record<string, Json>;
  updates: readonly Action[];
  content: string;
}

/**
 * A tool loop keeps what it says in the conversation of the run, where Flowise adds the answer alone. So the conversation is set aside for
 * the time of the loop.
 * @throws NoEquivalent where other steps may run at the same time
 */
export function toToolLoop(
  node: FlowiseNode,
  context: FlowiseContext,
  { input: { history: _, messages, ...input }, updates, content }: Loop,
): Mapped {
  const { document, stateOf } = context;
  const forks = document.edges.some(({ from, output, to }) =>
    document.edges.some((other) => other.from === from && other.output === output && other.to !== to),
  );
  if (forks) throw new NoEquivalent("it has tools, and other steps run at the same time, which share its conversation");
  const aside = `$.${stateOf(node.id, "before")}_messages`;
  const assign = (path: string, value: Json): Action => ({ type: "assign", params: { path, value } });
  return {
    ...toStep(node, context, "agent.toolLoop", { input, updates: [assign("$.messages", aside), ...updates], content }),
    before: [
      assign(aside, "$.messages | default([])"),
      ...(messages === undefined ? [] : [assign("$.messages", messages)]),
    ],
  };
}
