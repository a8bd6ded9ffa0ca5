import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { LOOP_STEPS, measure, NODES, print, text } from "./measure.ts";

const saver = PostgresSaver.fromConnString(process.argv[2] ?? "");
await saver.setup();

const Linear = Annotation.Root({
  outputs: Annotation<Record<string, unknown>>({ reducer: (_, next) => next, default: () => ({}) }),
});
// biome-ignore lint/suspicious/noExplicitAny: the builder's type grows with every node that is added in a loop
let linear: any = new StateGraph(Linear);
for (let node = 0; node < NODES; node++) {
  linear = linear.addNode(`s${node}`, () => ({ outputs: { node, text: text(node, 150) } }));
  linear = linear.addEdge(node === 0 ? START : `s${node - 1}`, `s${node}`);
}
const linearGraph = linear.addEdge(`s${NODES - 1}`, END).compile({ checkpointer: saver });

const Loop = Annotation.Root({
  messages: Annotation<unknown[]>({ reducer: (all, added) => all.concat(added), default: () => [] }),
});
const loopGraph = new StateGraph(Loop)
  .addNode("step", ({ messages }) => ({ messages: [{ role: "user", content: text(messages.length, 1_024) }] }))
  .addEdge(START, "step")
  .addConditionalEdges("step", ({ messages }) => (messages.length >= LOOP_STEPS ? END : "step"))
  .compile({ checkpointer: saver });

let threads = 0;
const config = () => ({
  configurable: { thread_id: `t${threads++}` },
  durability: "sync" as const,
  recursionLimit: LOOP_STEPS + 10,
});
print(
  await measure({
    system: "LangGraph 1.7.3 + Postgres, durability sync",
    runLinear: () => linearGraph.invoke({ outputs: {} }, config()),
    runLoop: async () => {
      await loopGraph.invoke({ messages: [] }, config());
    },
  }),
);
await saver.end();
