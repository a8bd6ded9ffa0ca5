import { describe, expect, it } from "vitest";
import { toMermaid } from "./mermaid.ts";

describe("a definition as Mermaid", () => {
  it("draws groups, regions, loops, guards, events and timers", () => {
    const text = toMermaid({
      initial: "ask",
      on: { abort: "end" },
      states: {
        ask: {
          label: 'Ask "them"; now',
          invoke: {
            src: "agent.llm",
            onDone: [{ target: "wait-here", guard: { type: "cel", params: { expression: "output.n > 1" } } }, "each"],
            onError: "end",
          },
        },
        "wait-here": { on: { paid: "both" }, after: { PT1H: "end", 500: "ask" } },
        each: {
          loop: {
            type: "forEach",
            collection: [],
            bodyInitial: "b1",
            bodyStates: { b1: { type: "final" } },
            onDone: "both",
          },
        },
        both: {
          type: "parallel",
          onDone: "end",
          states: {
            l: { initial: "l1", states: { l1: { type: "final" } } },
            r: { initial: "r1", states: { r1: { type: "final" } } },
          },
        },
        end: { type: "final" },
      },
    });
    expect(text.split("\n")).toEqual([
      "stateDiagram-v2",
      "  [*] --> ask",
      '  state "Ask #34;them#34;#59; now (agent.llm)" as ask',
      "  ask --> s_wait_dhere: [output.n #62; 1]",
      "  ask --> each",
      "  ask --> s_end: error",
      '  state "wait-here" as s_wait_dhere',
      "  s_wait_dhere --> both: on paid",
      "  s_wait_dhere --> ask: after 500 ms",
      "  s_wait_dhere --> s_end: after PT1H",
      '  state "each (for each)" as each',
      "  state each {",
      "    [*] --> b1",
      '    state "b1" as b1',
      "    b1 --> [*]",
      "  }",
      "  each --> both",
      '  state "both" as both',
      "  state both {",
      '    state "l" as l',
      "    state l {",
      "      [*] --> l1",
      '      state "l1" as l1',
      "      l1 --> [*]",
      "    }",
      "    --",
      '    state "r" as r',
      "    state r {",
      "      [*] --> r1",
      '      state "r1" as r1',
      "      r1 --> [*]",
      "    }",
      "  }",
      "  both --> s_end",
      '  state "end" as s_end',
      "  s_end --> [*]",
      "  note right of s_end: anywhere, on abort",
      "",
    ]);
  });

  it("gives ids that would read alike different names", () => {
    const text = toMermaid({
      initial: "a-b",
      states: { "a-b": { always: "s_a_db" }, s_a_db: { type: "final" } },
    });
    expect(text).toContain('state "a-b" as s_a_db\n');
    expect(text).toContain('state "s_a_db" as s_s__a__db\n');
  });
});
