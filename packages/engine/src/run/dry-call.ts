import type { Effect, ItemRequest, Json, NodeResult, NodeSignal } from "@oven/contract";
import type { NodeCall, NodeCatalog, NodeRunner } from "../ports.ts";

/*
 * A dry run goes through the graph without touching the world: what is pure runs, everything else answers with what a
 * recorded run answered there, or with an example of its output; nobody is asked, and nothing is waited for.
 */

export interface DryWorld {
  nodes: NodeRunner;
  catalog: NodeCatalog;
  /** What a recorded run answered at this place; undefined: nothing. */
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
  return result.type === "wait" ? passWait(world, call, result) : result;
}

/** Runs of its own are dry, too, and items are taken one by one; whatever else is waited for is there at once. */
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
  return { type: "done", output: catalog.get(call.src, call.version)?.example?.() ?? {} };
}
