import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { afterKey, type MapNode, type Mapped } from "./dify-context.ts";
import { selectorOf } from "./dify-document.ts";
import { filesIn, pathOfFiles } from "./dify-files.ts";
import { joinsLists } from "./dify-lists.ts";

/** Why an iteration or a loop cannot be one here. */
export const OPEN = "its steps are connected with some outside of it";

/** Rounds without a result are left out where all others hand on lists. */
const JOIN_LISTS = `const given = rounds.filter((round) => round !== null);
const areLists = given.length > 0 && given.every((round) => Array.isArray(round));
return { output: areLists ? given.flat() : rounds };
`;

export const mapIteration: MapNode = (node, context) => {
  const { id, data, parent } = node;
  const { document, stateOf } = context;
  if (parent !== undefined) throw new NoEquivalent("it is inside of another loop");
  const list = selectorOf(data.iterator_selector);
  const output = selectorOf(data.output_selector);
  const entry = document.bodyOf(id);
  if (list === undefined || output === undefined || entry.length === 0)
    throw new NoEquivalent("it has no list, no output or no steps");
  if (!document.isClosed(id)) throw new NoEquivalent(OPEN);
  const mode = String(data.error_handle_mode ?? "terminated");
  const leavesOut = mode === "remove-abnormal-output";
  const goesOn = leavesOut || mode === "continue-on-error" || mode === "continue-on-errors";
  const atOnce =
    data.is_parallel !== true ? 1 : typeof data.parallel_nums === "number" ? Math.trunc(data.parallel_nums) : 10;
  const inner = [...document.nodes.values()].filter((one) => one.parent === id);
  if (atOnce > 1 && inner.some(({ type }) => type === "assigner" || type === "answer"))
    throw new NoEquivalent("its rounds run at once, and write variables or answer");
  const state = stateOf(id);
  const condition = leavesOut ? 'i.status == "completed", ' : "";
  const rounds = { $cel: `ctx.${state}_output.items.map(i, ${condition}i.output)` };
  const joins = joinsLists(node, document);
  const results = `$.${stateOf(afterKey(id))}_output`;
  const gather: Mapped["invoke"] = joins
    ? { src: "core.code", input: { code: JOIN_LISTS, inputs: { rounds } } }
    : { src: "core.transform", input: { mapping: { output: rounds } } };
  return {
    loop: {
      type: "forEach",
      collection:
        filesIn(list, document) === "list"
          ? pathOfFiles(list, context)
          : context.data.path(list).replace(/default\(null\)$/, "default([])"),
      maxIterations: 1_000,
      timeoutMs: 3_600_000,
      ...(atOnce > 1 ? { concurrency: atOnce } : {}),
      ...(goesOn ? { continueOnError: true } : {}),
      body: { entry, output: context.data.path(output) },
    },
    ways: [{ targets: [afterKey(id)] }],
    after: {
      invoke: gather,
      ways: [{ targets: document.outputs(id) }],
      endOutput: joins ? `${results}.result` : results,
    },
  };
};
