import { describe, expect, it } from "vitest";
import { isRefused } from "./edit.ts";
import { replacePlaces, searchDefinition } from "./search.ts";

const DEFINITION = {
  initial: "draft",
  agentConfig: { system: "You draft letters." },
  states: {
    draft: {
      label: "Draft a letter",
      invoke: { src: "agent.llm", input: { prompt: "Draft: {{ $.trigger.text }}", target: "draft" }, onDone: "check" },
    },
    check: {
      invoke: { src: "agent.humanReview", input: { show: "$.draft_output.text", title: "Is the draft right?" } },
      always: { target: "draft", guard: { type: "cel", params: { expression: "ctx.draft_output.text != 'draft'" } } },
    },
    loop: {
      loop: {
        type: "forEach",
        collection: "$.draft_output.list",
        bodyInitial: "a",
        bodyStates: { a: { description: "draft" } },
      },
    },
  },
  meta: { note: "About drafts", positions: { draft: { x: 1, y: 2 } }, notes: [{ id: "draft1", text: "draft this" }] },
};

const found = (query: string, exact = false) => searchDefinition(DEFINITION, query, exact);
const names = (query: string, exact = false) =>
  found(query, exact).map(({ stateId, what, field }) => [stateId, what, field].join(" ").trim());

describe("searching a definition", () => {
  it("finds ids, nodes and texts of states, and those of the workflow, but nothing that names a state", () => {
    expect(names("draft")).toEqual([
      "draft id",
      "draft text label",
      "draft text invoke.input.prompt",
      "draft text invoke.input.target",
      "check text always.guard.params.expression",
      "check text invoke.input.title",
      "a text description",
      "text agentConfig.system",
      "text meta.note",
      "text meta.notes.0.text",
    ]);
    expect(names("humanreview")).toEqual(["check node src"]);
    expect(names("Draft", true)).toEqual(["draft text label", "draft text invoke.input.prompt"]);
    expect(names("")).toEqual([]);
  });

  it("leaves the results of states in expressions to their renaming", () => {
    const guard = found("draft").find(({ field }) => field.endsWith("expression"));
    expect(guard?.hits).toEqual([{ start: 26, end: 31 }]);
    expect(names("_output")).toEqual([]);
  });
});

describe("replacing", () => {
  const replaced = (query: string, by: string, exact = false, pick = (_: string) => true) => {
    const places = found(query, exact).filter(({ what, field }) => pick(`${what} ${field}`));
    const result = replacePlaces(DEFINITION, places, by);
    if (isRefused(result)) throw new Error(result.reason);
    return result.document;
  };

  it("renames ids with all that refers to them, and texts as they stand", () => {
    expect(replaced("draft", "sketch", true)).toMatchObject({
      initial: "sketch",
      agentConfig: { system: "You sketch letters." },
      states: {
        sketch: {
          label: "Draft a letter",
          invoke: { input: { prompt: "Draft: {{ $.trigger.text }}", target: "sketch" } },
        },
        check: {
          invoke: { input: { show: "$.sketch_output.text", title: "Is the sketch right?" } },
          always: { target: "sketch", guard: { params: { expression: "ctx.sketch_output.text != 'sketch'" } } },
        },
      },
      meta: { notes: [{ id: "draft1", text: "sketch this" }], positions: { sketch: { x: 1, y: 2 } } },
    });
  });

  it("changes nothing but the places that were chosen, and no node", () => {
    const only = replaced("draft", "letter", false, (name) => name === "text label");
    expect(only).toEqual({
      ...DEFINITION,
      states: { ...DEFINITION.states, draft: { ...DEFINITION.states.draft, label: "letter a letter" } },
    });
    expect(replaced("agent", "x")).toEqual(DEFINITION);
  });

  it("is refused as a whole when an id cannot be called that", () => {
    expect(replacePlaces(DEFINITION, found("draft"), "check")).toEqual({
      reason: "draft cannot be renamed: check is used already",
    });
  });
});
