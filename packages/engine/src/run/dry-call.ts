import type { Json } from "@oven/contract";
import type { Effect, ItemRequest, NodeResult, NodeSignal } from "@oven/contract/node";
import type { NodeCall, NodeCatalog, NodeRunner } from "../ports.ts";
import { exampleFor } from "./example-for.ts";

/*
 * A dry run follows the graph without effects: pure nodes run, all others answer with the output of a recorded run at the same place, or with
 * an example. No reviewer is asked, and no timer or event is awaited.
 */

export interface DryWorld {
  nodes: NodeRunner;
  catalog: NodeCatalog;
  /** The recorded output at this place; undefined when there is none. */
  recorded(call: NodeCall): Promise<Json | undefined>;
}

export async function dryRun(world: DryWorld, call: NodeCall, effect: Effect): Promise<NodeResult> {
  if (effect !== "pure") return standIn(world, call);
  const result = await world.nodes.run(call);
  return result.type === "wait" ? passWait(world, call, result) : result;
}

export async function dryItem(world: DryWorld, call: NodeCall, item: ItemRequest, effect: Effect): Promise<NodeResult> {
  if (effect !== "pure") return standIn(world, call);
  const result = await world.nodes.runItem(call, item);
  if (result.type !== "wait") return result;
  // The item is a call that needs approval, which a dry run cannot get, so it is not made.
  return result.for === "review" ? standIn(world, call) : passWait(world, call, result);
}

/** Child runs are dry as well, and items run one by one; every other wait ends at once. */
async function passWait(
  world: DryWorld,
  call: NodeCall,
  wait: Extract<NodeResult, { type: "wait" }>,
): Promise<NodeResult> {
  if (wait.for === "items" || wait.for === "child") return wait;
  const recorded = await world.recorded(call);
  if (recorded !== undefined) return { type: "done", output: recorded };
  call.log("info", `Dry run: not waiting for ${wait.for}`);
  const next = await world.nodes.resume(call, toSignal(wait));
  return next.type === "wait" ? passWait(world, call, next) : next;
}

function toSignal(
  wait: Extract<NodeResult, { type: "wait"; for: "review" | "input" | "timer" | "event" }>,
): NodeSignal {
  switch (wait.for) {
    case "review":
    case "input": {
      const { actions, proposal } = wait.request;
      const action = actions.includes("approve") ? "approve" : (actions[0] ?? "submit");
      const decidedAt = new Date(0).toISOString();
      return { type: "decision", action, data: proposal, reason: null, reviewer: null, decidedAt };
    }
    case "timer":
      return { type: "timer", dueAt: wait.request.dueAt };
    case "event":
      return { type: "event", event: wait.request.event, payload: null };
  }
}

async function standIn({ catalog, recorded }: DryWorld, call: NodeCall): Promise<NodeResult> {
  const output = await recorded(call);
  if (output !== undefined) {
    call.log("info", "Dry run: answered from the recorded run");
    return { type: "done", output };
  }
  call.log("info", "Dry run: answered with an example");
  return { type: "done", output: exampleFor(catalog, call) ?? {} };
}
