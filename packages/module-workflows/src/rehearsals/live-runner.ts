import { randomInt, randomUUID } from "node:crypto";
import type { Principal } from "@oven/contract";
import type { NodeCall, NodeRunner } from "@oven/engine";

/** Below this no run has an id. */
const NO_RUN = -1;
const MOST = 2 ** 47;

/**
 * Asks models on behalf of the person who tries past runs, and of no run: with what that person may do, and counted for that person.
 * @param nodes calls nodes as runs do, with policies and permissions
 */
export function liveRunner(nodes: NodeRunner, principal: Principal): NodeRunner {
  const executionId = NO_RUN - randomInt(MOST);
  const own = (call: NodeCall): NodeCall => {
    const seed = randomUUID();
    return {
      ...call,
      principal,
      node: { ...call.node, executionId, rootExecutionId: executionId },
      parentExecutionId: null,
      options: { ...call.options, refuseEffects: true },
      idempotencyKey: (ordinal = 0) => `${seed}-${ordinal}`,
    };
  };
  const never = (): never => {
    throw new Error("only the first call of a node asks a model");
  };
  return { run: async (call) => nodes.run(own(call)), resume: never, runItem: never };
}
