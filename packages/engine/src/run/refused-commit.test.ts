import { OvenError } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import { withCommit } from "../testing/with-commit.ts";

const echo: ScriptedNode = { run: ({ input }) => ({ type: "done", output: input as { text: string } }) };
const linear = {
  initial: "a",
  states: {
    a: { invoke: { src: "echo", input: { text: "one" }, onDone: "b" } },
    b: { invoke: { src: "echo", input: { text: "two" }, onDone: "done" } },
    done: { type: "final" },
  },
};

describe("a commit that the store will never take", () => {
  it("fails the run with the reason instead of being tried for ever", async () => {
    const harness = new EngineHarness(linear, { echo });
    const store = withCommit(harness, async (commit) => {
      const finishesB = commit.rows.some(
        (row) => row.nodeId === "b" && row.type === "finish" && row.status === "completed",
      );
      if (finishesB) throw new OvenError("COMMIT_REFUSED", "nested too deeply");
      return harness.store.commit(commit);
    });
    harness.restart(store);
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      errorInfo: { code: "COMMIT_REFUSED", message: "nested too deeply" },
    });
    expect(harness.rows(id)).toEqual(["a#1 completed", "b#1 cancelled"]);
    expect(harness.events(id).slice(-2)).toEqual(["execution.failed", "end"]);
    await harness.engine.advance(id);
    expect(harness.nodes.calls).toEqual(["run a#1", "run b#1"]);
  });

  it("fails the run, too, where what it wrote cannot become text", async () => {
    const harness = new EngineHarness(linear, { echo });
    const store = withCommit(harness, async (commit) => {
      if (commit.rows.some(({ nodeId }) => nodeId === "b")) "x".repeat(2 ** 30);
      return harness.store.commit(commit);
    });
    harness.restart(store);
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({
      status: "failed",
      errorInfo: { code: "COMMIT_REFUSED", message: expect.stringContaining("too large") },
    });
    expect(harness.nodes.calls).toEqual(["run a#1"]);
  });

  it("is told apart from a store that is out of reach, after which the run goes on", async () => {
    const harness = new EngineHarness(linear, { echo });
    const store = withCommit(harness, async () => {
      throw new Error("connection refused");
    });
    const id = await harness.create();
    await expect(harness.restart(store).advance(id)).rejects.toThrow("connection refused");
    await harness.store.voidLeases();
    await harness.restart().advance(id);
    expect(harness.columns(id).status).toBe("completed");
  });
});

describe("a definition that cannot be loaded", () => {
  const definition = {
    initial: "a",
    states: { a: { invoke: { src: "step", onDone: "done" } }, done: { type: "final" } },
  };
  const step: ScriptedNode = { run: () => ({ type: "done", output: {} }) };

  it("for now, because the database is away, leaves the run as it is; it goes on later", async () => {
    const away = new OvenError("DATABASE_UNAVAILABLE", "away", { status: 503 });
    for (const cause of [
      away,
      Object.assign(new Error("reset"), { code: "ECONNRESET" }),
      new Error("failed", { cause: { code: "57P01" } }),
    ]) {
      const harness = new EngineHarness(definition, { step });
      const { load } = harness.source;
      harness.source.load = async () => {
        throw cause;
      };
      const id = await harness.create();
      await expect(harness.advance(id)).rejects.toBe(cause);
      harness.source.load = load;
      await harness.store.voidLeases();
      await harness.advance(id);
      expect(harness.columns(id).status).toBe("completed");
    }
  });

  it("ever again, ends it and says why", async () => {
    const harness = new EngineHarness(definition, { step });
    harness.source.load = async () => {
      throw new OvenError("UNKNOWN_NODE", "not installed");
    };
    const id = await harness.execute();
    expect(harness.columns(id)).toMatchObject({ status: "failed", errorInfo: { code: "UNKNOWN_NODE" } });
  });
});
