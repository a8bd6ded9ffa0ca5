import type { Credentials } from "@oven/testing";
import { expect } from "vitest";
import { connectAs, toRefusal } from "./in-process-mcp.ts";
import { type Cast, OPENS, type Refusal, refusalOf, type Way } from "./way.ts";

interface FirstRun {
  id: number;
  /** The address of the run. */
  path: string;
  failed: boolean;
}

/** A run that `by` goes on with; an admin has started it, unless another is named. */
type GoesOn = (cast: Cast, run: FirstRun) => Promise<() => Promise<Refusal>>;

const nodeOf = ({ failed }: FirstRun) => (failed ? {} : { nodeId: "open" });

const retry: GoesOn =
  async ({ stage, by }, run) =>
  async () =>
    refusalOf(await stage.oven.call("POST", `${run.path}/retry`, nodeOf(run), by));

const retryOverMcp: GoesOn = async ({ stage, by }, run) => {
  const client = await connectAs(stage, "oven", by);
  const step = run.failed ? {} : { step: "open" };
  return () => toRefusal(client.callTool({ name: "retry_run", arguments: { run_id: run.id, ...step } }));
};

const fork: GoesOn = async ({ stage, by, admin }, { path }) => {
  const [checkpoint] = await stage.ok("GET", `${path}/checkpoints`, undefined, admin);
  return async () => refusalOf(await stage.oven.call("POST", `${path}/fork`, { checkpoint: checkpoint.seq }, by));
};

/** Of what has failed. */
const redrive: GoesOn =
  async ({ stage, by }, { id }) =>
  async () => {
    const answer = await stage.oven.call("POST", "agent-workflow-executions/redrive", { ids: [id] }, by);
    const [refused] = answer.body.refused ?? [];
    if (refused === undefined) return refusalOf(answer);
    expect(refused.code).toMatch(/^(FORBIDDEN|NOT_FOUND)$/);
    return `refused ${refused.message}`;
  };

const goingOn = (name: string, goesOn: GoesOn, first?: Credentials): Way => ({
  name,
  prepare: async (cast) => {
    const { stage, author, admin } = cast;
    const { id: workflow } = await stage.publish(OPENS, author);
    stage.jam(goesOn === redrive);
    const path = `agent-workflows/${workflow}/execute?wait=20`;
    const { id } = await stage.ok("POST", path, { input: {} }, first ?? admin);
    const [ended] = await stage.runsSince(id - 1);
    stage.jam(false);
    return goesOn(cast, { id, path: `agent-workflow-executions/${id}`, failed: ended?.status === "failed" });
  },
});

/** @param first who has started the run; absent: the admin */
export const waysToGoOn = (first?: Credentials): readonly Way[] => [
  goingOn("retry", retry, first),
  goingOn("retry_run over MCP", retryOverMcp, first),
  goingOn("fork", fork, first),
  goingOn("redrive", redrive, first),
];
