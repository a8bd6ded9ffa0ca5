/** Agent workflows that the scripted model of the tests answers to. */

const agentConfig = { model: "openai:house-model" };
const done = (output: object) => ({ type: "final", output });

/** Says what the model says. */
export const ANSWER = {
  initial: "ask",
  agentConfig,
  states: {
    ask: { invoke: { src: "agent.llm", input: { prompt: "$.trigger.message" }, onDone: "done" } },
    done: done({ reply: "$.ask_output.text" }),
  },
};

/** The model may call the shop's tools. */
export const SHOP = {
  initial: "serve",
  agentConfig,
  states: {
    serve: {
      invoke: { src: "agent.toolLoop", input: { prompt: "$.trigger.message", tools: ["shop.*"] }, onDone: "done" },
    },
    done: done({ reply: "$.serve_output.text" }),
  },
};

/** A person checks the model's text; rejected, it is written again. */
export const REVIEWED = {
  initial: "ask",
  agentConfig,
  states: {
    ask: { invoke: { src: "agent.llm", input: { prompt: "$.trigger.message" }, onDone: "review" } },
    review: {
      invoke: {
        src: "agent.humanReview",
        input: { title: "Send it?", show: "$.text", schema: { type: "string" } },
        onDone: [
          {
            target: "done",
            guard: { type: "condition", params: { key: "$.review_output.action", operator: "!=", value: "reject" } },
          },
          { target: "again" },
        ],
      },
    },
    again: {
      invoke: { src: "agent.llm", input: { prompt: "Not so: {{ $.review_output.reason }}" }, onDone: "review" },
    },
    done: done({ reply: "$.review_output.data" }),
  },
};

/** Calls another workflow, whose run is a child. */
export const OUTER = (workflow: string) => ({
  initial: "call",
  states: {
    call: {
      invoke: {
        src: "core.callWorkflow",
        input: { kind: "agent-workflow", workflow, input: { message: "$.trigger.message" } },
        onDone: "done",
      },
    },
    done: done({ reply: "$.call_output.output.reply" }),
  },
});
