import type { Json, JsonObject } from "@oven/contract";
import { Ambiguous } from "../../../importing/testing/compare-runs.ts";
import type { RunResult } from "../../../importing/testing/run-imported.ts";

interface Node {
  id: string;
  data: { name: string; label: string; inputs: JsonObject };
}

/** What a tool answers in a run. */
export const ANSWER = "an answer";
const MOST_STEPS = 200;

const text = (value: Json | undefined): string => (value === undefined || value === null ? "" : String(value));

/**
 * What Flowise documents for agentflows that go along one way at a time: conditions are looked at in order and the last output is for
 * what fits none, a loop goes back so often and then ends with its message.
 */
export function runFlowise({ nodes, edges }: { nodes: Node[]; edges: JsonObject[] }, form: JsonObject): RunResult {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const steps = new Map<string, Json[]>();
  const loops = new Map<string, number>();
  const next = (id: string, output?: number): Node | undefined => {
    const handle = output === undefined ? undefined : `${id}-output-${output}`;
    const found = edges.filter((edge) => edge.source === id && (handle === undefined || edge.sourceHandle === handle));
    if (found.length > 1) throw new Ambiguous("several ways at once");
    return byId.get(String(found[0]?.target));
  };
  const resolve = (value: Json | undefined): string =>
    text(value)
      .replaceAll(/<[^>]*>/g, "")
      .trim()
      .replaceAll(/\{\{\s*\$form\.(\w+)\s*\}\}/g, (_, key: string) => text(form[key]))
      .replaceAll(/\{\{\s*tool_\d+\s*\}\}/g, ANSWER);
  let node = next("start");
  let output: Json | undefined;
  for (let count = 0; node !== undefined; count += 1) {
    if (count > MOST_STEPS) throw new Ambiguous("it goes round for long");
    const { id, data } = node;
    const { inputs } = data;
    const note = (value: Json) => steps.set(data.label, [...(steps.get(data.label) ?? []), value]);
    output = undefined;
    switch (data.name) {
      case "toolAgentflow":
        note({ content: ANSWER });
        node = next(id);
        break;
      case "directReplyAgentflow":
        output = { text: resolve(inputs.directReplyMessage) };
        note(output);
        node = undefined;
        break;
      case "conditionAgentflow": {
        const conditions = inputs.conditions as JsonObject[]; // cast: as it was made
        const found = conditions.findIndex((one) => holds(one, resolve));
        node = next(id, found < 0 ? conditions.length : found);
        break;
      }
      case "loopAgentflow": {
        const times = loops.get(id) ?? 0;
        if (times < Number(inputs.maxLoopCount)) {
          loops.set(id, times + 1);
          node = byId.get(text(inputs.loopBackToNode).split("-")[0] ?? "");
        } else {
          output = { text: text(inputs.fallbackMessage) };
          node = undefined;
        }
        break;
      }
      default:
        throw new Ambiguous(data.name);
    }
  }
  return { status: "completed", output, steps };
}

function holds({ type, operation, value1, value2 }: JsonObject, resolve: (value: Json | undefined) => string): boolean {
  const [one, two] = [resolve(value1), resolve(value2)];
  const [first, second] = type === "number" ? [Number.parseFloat(one) || 0, Number.parseFloat(two) || 0] : [one, two];
  switch (operation) {
    case "equal":
      return first === second;
    case "notEqual":
      return first !== second;
    case "smaller":
      return Number(first) < Number(second);
    case "largerEqual":
      return Number(first) >= Number(second);
    case "contains":
      return one.includes(two);
    case "notContains":
      return !one.includes(two);
    case "startsWith":
      return one.startsWith(two);
    case "endsWith":
      return one.endsWith(two);
    case "isEmpty":
      return one === "";
    case "notEmpty":
      return one !== "";
    default:
      throw new Ambiguous(text(operation));
  }
}
