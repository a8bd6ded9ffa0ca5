import { expect, it } from "vitest";
import { countReferences } from "./count-references.ts";
import { renameState } from "./operations/rename-state.ts";

it("counts targets, beginnings and uses of the results, each place once", () => {
  const document = {
    initial: "ask",
    states: {
      ask: { invoke: { src: "core.log", input: { message: "Hi" }, onDone: "tell", onError: "ask" } },
      tell: {
        invoke: {
          src: "core.log",
          input: {
            message: "{{ $.ask_output.message }} and {{ $.ask_error.code }}",
            data: { $cel: "ctx.ask_output.message" },
          },
          onDone: "done",
        },
      },
      done: { type: "final" },
    },
  };
  expect(["ask", "tell", "done"].map((id) => countReferences(document, id))).toEqual([5, 1, 1]);
  const renamed = renameState(document, "ask", "question");
  expect("document" in renamed ? countReferences(renamed.document, "question") : 0).toBe(5);
});
