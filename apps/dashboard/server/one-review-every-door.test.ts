import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOORS, type Door, type Waiting } from "./testing/review-doors.ts";
import { type ReviewStage, startReviewStage } from "./testing/review-stage.ts";

/* Every way to start a run × every way to answer its review; and what all the others show of it, and take, before and after. */

const STARTING = DOORS.filter(({ start }) => start !== undefined);
const ANSWERING = DOORS.filter(({ answer }) => answer !== undefined);
const A2A = DOORS.find(({ name }) => name === "A2A");

const mayAnswer = (answering: Door, starting: Door) => answering.onlyOwn === undefined || answering === starting;

describe("one review", () => {
  let stage: ReviewStage;
  beforeAll(async () => {
    stage = await startReviewStage();
  }, 120_000);
  afterAll(() => stage?.stop());

  async function startBy(door: Door): Promise<Waiting> {
    const handles = await door.start?.(stage);
    if (handles === undefined) throw new Error(`${door.name} starts nothing`);
    const { body } = await stage.decider.rest("GET", `reviews?filter={"executionId":${handles.run}}`);
    expect(body, `run ${handles.run}`).toHaveLength(1);
    const [{ id: review, digest }] = body;
    await stage.tick();
    const [slack, teams] = [stage.slack.messages.at(-1), stage.teams.messages.at(-1)];
    const mail = stage.mail.received.at(-1);
    return { ...handles, review, digest, slack: slack && { ...slack }, teams: teams && { ...teams }, mail };
  }

  /** What each door shows, of those that have a view of it. */
  async function shown(waiting: Waiting): Promise<Record<string, string>> {
    const views: Record<string, string> = {};
    const slack = stage.slack.messages.at(-1);
    const teams = stage.teams.messages.at(-1);
    for (const { name, shows } of DOORS) {
      const view = await shows?.(stage, { ...waiting, slack, teams });
      if (view !== undefined) views[name] = view;
    }
    return views;
  }

  /** All that a second answer could change. */
  async function state({ review, run }: Waiting): Promise<unknown> {
    const { rest } = stage.decider;
    return Promise.all([
      rest("GET", `reviews/${review}`).then(({ body }) => body),
      rest("GET", `agent-workflow-executions/${run}`).then(({ body }) => body),
      stage.endpoint.oven.db.query("select count(*) from outbox_events"),
    ]);
  }

  /** Each door starts one, and each answers one that A2A has started: all may answer that, and all but chats show it. */
  const pairs = [
    ...STARTING.filter((starting) => starting !== A2A).map((starting) => [ANSWERING[0], starting] as const),
    ...ANSWERING.map((answering) => [answering, A2A] as const),
  ].map(([answering, starting]) => [answering?.name, starting?.name, answering, starting] as const);
  it.each(pairs)("is answered by %s where %s started its run, once, and all show it as decided", async (...given) => {
    const [, , answering, starting] = given;
    if (answering === undefined || starting === undefined) throw new Error("there is no such door");
    const waiting = await startBy(starting);
    const before = await shown(waiting);
    expect(new Set(Object.values(before)), JSON.stringify(before)).toEqual(new Set(["open"]));

    expect(await answering.answer?.(stage, waiting, { action: "approve" })).toBeUndefined();
    await expect
      .poll(async () => (await stage.starter.rest("GET", `agent-workflow-executions/${waiting.run}`)).body, {
        interval: 10,
        timeout: 20_000,
      })
      .toMatchObject({ status: "completed", output: { answer: "approve" } });
    await stage.tick();
    expect(await shown(waiting)).toEqual(Object.fromEntries(Object.keys(before).map((name) => [name, "decided"])));

    const decided = await state(waiting);
    for (const door of ANSWERING.filter((one) => mayAnswer(one, starting))) {
      const refused = await door.answer?.(stage, waiting, { action: "reject", reason: "Too late" });
      expect(refused, door.name).toMatch(door.refusal ?? /^$/);
    }
    expect(await state(waiting)).toEqual(decided);
  });
});
