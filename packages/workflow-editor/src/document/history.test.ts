import { describe, expect, it } from "vitest";
import { commit, MAX_STEPS, redo, seal, startHistory, undo } from "./history.ts";

describe("the history of a document", () => {
  it("goes back and forth one gesture at a time", () => {
    let history = commit(commit(startHistory("a"), "b", "one"), "c", "two");
    history = undo(history);
    expect(history.present).toBe("b");
    expect(undo(undo(history)).present).toBe("a");
    expect(redo(history).present).toBe("c");
    expect(redo(redo(history)).present).toBe("c");
  });

  it("forgets what was undone when something else is done", () => {
    const history = commit(undo(commit(startHistory("a"), "b", "one")), "c", "two");
    expect(redo(history).present).toBe("c");
    expect(undo(history).present).toBe("a");
  });

  it("makes one step of the changes of one gesture, and none of a gesture that changed nothing in the end", () => {
    let history = startHistory("");
    for (const text of ["h", "he", "hey"]) history = commit(history, text, "type", "label");
    expect(undo(history).present).toBe("");
    history = commit(seal(history), "hey you", "type", "label");
    expect(undo(history).present).toBe("hey");
    const nothing = commit(commit(startHistory("a"), "b", "drag", "1"), "a", "drag", "1");
    expect(nothing.past).toHaveLength(0);
    expect(commit(startHistory("a"), "a", "nothing").past).toHaveLength(0);
  });

  it("does not mix a gesture with one of the same name that was undone", () => {
    const undone = undo(commit(startHistory("a"), "b", "type", "label"));
    const again = commit(undone, "c", "type", "label");
    expect(undo(again).present).toBe("a");
  });

  it("keeps no more than its bound through ten thousand steps back and forth", () => {
    let history = startHistory(0);
    for (let step = 1; step <= 10_000; step += 1) history = commit(history, step, "step");
    expect(history.past).toHaveLength(MAX_STEPS);
    let back = 0;
    for (; history.past.length > 0; back += 1) history = undo(history);
    expect([back, history.present, history.future.length]).toEqual([MAX_STEPS, 10_000 - MAX_STEPS, MAX_STEPS]);
    for (let step = 0; step < 10_000; step += 1) history = step % 2 === 0 ? redo(history) : undo(history);
    expect(history.past.length + history.future.length).toBe(MAX_STEPS);
  });
});
