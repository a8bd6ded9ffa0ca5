import type { PeerClient } from "./peer-client.ts";

/** What became of one step: in order, undefined where the client's API has nothing for it, or what is wrong. */
export interface StepReport {
  step: string;
  held: boolean | undefined;
  seen: string;
}

interface Envelope {
  status: string;
  output?: { word?: string; action?: string };
  run: { id: number };
  pending?: { reviewId: number; digest: string; url: string; actions: string[] };
}

const TOOLS = ["order", "get_run", "answer_review", "cancel_run", "list_runs"];
const LONGEST = 300;

/**
 * Runs a client through all that OVEN offers to one. The workflow is `order`: it takes `word`, a text, and `ask`; with `ask` it waits for a person.
 * @param person how often the person at the client was asked, and what they answer from now on
 */
export async function runSteps(
  client: PeerClient,
  person: { asked(): number; answers(how: "approve" | "decline"): void },
): Promise<StepReport[]> {
  const reports: StepReport[] = [];
  const step = async (name: string, work: () => Promise<string | undefined>) => {
    const wrong = await work().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    reports.push({ step: name, held: wrong === undefined, seen: (wrong ?? "").slice(0, LONGEST) });
  };
  const call = async (tool: string, given: Record<string, unknown>) => {
    const answer = await client.call(tool, given);
    if (answer.isError) throw new Error(`${tool} answered an error: ${answer.text}`);
    return answer.value as Envelope; // cast: the output schema of the tool
  };
  const unless = (held: boolean, seen: unknown) => (held ? undefined : JSON.stringify(seen));

  await step("lists", async () => {
    const names = await client.names();
    return unless(JSON.stringify(names.toSorted()) === JSON.stringify(TOOLS.toSorted()), names);
  });
  await step("completes", async () => {
    const done = await call("order", { word: "bread", ask: false });
    return unless(done.status === "completed" && done.output?.word === "bread", done);
  });
  if (client.canBeAsked)
    await step("is asked", async () => {
      person.answers("approve");
      const before = person.asked();
      const done = await call("order", { word: "cake", ask: true });
      const held = done.status === "completed" && done.output?.action === "approve" && person.asked() === before + 1;
      return unless(held, { asked: person.asked() - before, ...done });
    });
  else reports.push({ step: "is asked", held: undefined, seen: "" });
  person.answers("decline");
  let paused: Envelope | undefined;
  await step("pauses", async () => {
    paused = await call("order", { word: "rolls", ask: true });
    const { status, pending } = paused;
    return unless(status === "paused" && pending !== undefined && pending.actions.includes("approve"), paused);
  });
  await step("answers", async () => {
    if (paused?.pending === undefined) throw new Error("there is no review");
    const { reviewId, digest } = paused.pending;
    const done = await call("answer_review", { reviewId, digest, action: "approve" });
    return unless(done.status === "completed" && done.output?.action === "approve", done);
  });
  await step("reads the end", async () => {
    if (paused === undefined) throw new Error("there is no run");
    const run = await call("get_run", { id: paused.run.id });
    return unless(run.status === "completed" && run.output?.word === "rolls", run);
  });
  await step("reads errors", async () => {
    const wrong = await client.call("order", { ask: false });
    if (!wrong.isError || !/word/.test(wrong.text)) return JSON.stringify(wrong);
    const unknown = await client.call("get_run", { id: 999_999 });
    return unless(unknown.isError && unknown.text.includes("NOT_FOUND"), unknown);
  });
  return reports;
}
