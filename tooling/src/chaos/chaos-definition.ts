/** Fork, join, items, a loop, a review, a delay, every effect class: 18 calls of the ledger. */
export const CHAOS_DEFINITION = {
  initial: "begin",
  timeoutMs: 3_600_000,
  states: {
    begin: call("at-least-once", "fork"),
    fork: {
      type: "parallel",
      onDone: "each",
      states: {
        left: { initial: "l1", states: { l1: call("pure", "l2"), l2: call("at-most-once", "l_end"), l_end: final() } },
        right: {
          initial: "r1",
          states: { r1: call("idempotent", "r2"), r2: items("r_end"), r_end: final() },
        },
      },
    },
    each: {
      loop: {
        type: "forEach",
        collection: [1, 2, 3],
        timeoutMs: 3_600_000,
        bodyInitial: "b1",
        bodyStates: { b1: call("at-least-once", "b2"), b2: call("idempotent", "b_end"), b_end: final() },
        onDone: "ask",
      },
    },
    ask: {
      invoke: { src: "agent.humanReview", input: { title: "Go on?", show: "$.r2_output.values" }, onDone: "pay" },
    },
    pay: call("at-most-once", "wait"),
    wait: { invoke: { src: "core.delay", input: { ms: 20 }, onDone: "last" } },
    last: call("at-least-once", "done"),
    done: {
      type: "final",
      output: { paid: "$.pay_output.value", last: "$.last_output.value", each: "$.each_output.count" },
    },
  },
};

/** Calls of the ledger in one undisturbed run. */
export const CALLS_PER_RUN = 1 + 2 + 1 + 4 + 6 + 1 + 1;

function call(effect: string, onDone: string): object {
  return { invoke: { src: `chaos.${effect}`, onDone, timeoutMs: 600_000 } };
}

function items(onDone: string): object {
  return { invoke: { src: "chaos.items", input: { count: 4 }, onDone } };
}

function final(): object {
  return { type: "final" };
}
