import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startTriggers, type TestClock, type TestTriggers } from "./triggers/testing/start-triggers.ts";

const OVERLAPS = ["allow", "skip", "queue", "cancel"];
const MISFIRES = ["skip", "once", "all"];
const DAY = 86_400_000;

/**
 * Sundays at half past two in Vienna, a time that comes twice on 25 October 2026 and not at all on 28 March 2027: the first of
 * the two, and the moment at which the clocks go forward.
 */
function sundays(): string[] {
  const instants: string[] = [];
  for (let at = Date.parse("2026-10-18T00:00:00Z"); at <= Date.parse("2027-04-04T00:00:00Z"); at += 7 * DAY) {
    const day = new Date(at).toISOString().slice(0, 10);
    const isSummer = day <= "2026-10-25" || day > "2027-03-28";
    instants.push(`${day}T${day === "2027-03-28" ? "01:00" : isSummer ? "00:30" : "01:30"}:00.000Z`);
  }
  return instants;
}

const onPostgres = testDatabases(inject("postgresUrl")).filter(({ name }) => name === "PostgreSQL");

describe.each(onPostgres)("schedules over a winter on $name", ({ open }) => {
  const clock: TestClock = { now: new Date("2026-10-17T12:00:00Z") };
  let database: TestDatabase;
  let all: TestTriggers[];
  beforeAll(async () => {
    database = await open();
    all = [];
    for (let one = 0; one < 3; one++) all.push(await startTriggers(clock, database.db));
  });
  afterAll(async () => {
    for (const one of all) await one.stop();
    await database.close();
  });

  const tick = () => Promise.all(all.map((one) => one.tick()));
  const first = (): TestTriggers => {
    const [one] = all;
    if (one === undefined) throw new Error("no scheduler is up");
    return one;
  };
  /** Until no run is under way: a run that began a week ago has ended. */
  const ended = () =>
    expect
      .poll(() =>
        database.db.query("select id from workflow_executions where status in ('pending', 'running') limit 1"),
      )
      .toEqual([]);
  /** One scheduler is replaced by a new process while the others look. */
  async function restart(): Promise<void> {
    const gone = all.shift();
    await Promise.all([gone?.stop(), tick()]);
    all.push(await startTriggers(clock, database.db));
  }

  it("start one run for each due instant under each policy, over both changes of the clocks, with three schedulers and restarts [001-159]", async () => {
    const workflowId = await first().workflow("Weekly");
    const made: { id: number; policy: string }[] = [];
    for (const overlap of OVERLAPS) {
      for (const misfire of MISFIRES) {
        const { id } = await first().make({
          type: "schedule",
          name: `${overlap} ${misfire}`,
          target: { kind: "workflow", workflowId },
          overlap,
          config: { cron: "30 2 * * SUN", timezone: "Europe/Vienna", misfire },
        });
        made.push({ id, policy: `${overlap}, ${misfire}` });
      }
    }
    const wanted = sundays();
    expect(wanted).toHaveLength(25);
    for (const [week, instant] of wanted.entries()) {
      const at = Date.parse(instant);
      // Just before nothing happens, and at the second half past two of October, or of the hour that was left out, nothing either.
      for (const near of [at - 1_000, at, at + 30_000, at + 3_600_000]) {
        clock.now = new Date(near);
        await tick();
      }
      await ended();
      // Also in the hour of each change.
      if (week % 6 === 1 || instant.startsWith("2027-03-28")) await restart();
    }
    const runs = await database.db.query<{ id: number }>("select id from workflow_executions");
    expect(runs).toHaveLength(wanted.length * made.length);
    for (const { id, policy } of made) {
      const deliveries = await first().deliveries(id);
      expect(deliveries.map(({ key }) => key).sort(), policy).toEqual(wanted.map((instant) => `at:${instant}`));
      expect(new Set(deliveries.map(({ decision }) => decision)), policy).toEqual(new Set(["started"]));
      expect(new Set(deliveries.map(({ executionId }) => executionId)).size, policy).toBe(wanted.length);
    }
  });

  it("start what each policy says when all were down over a change of the clocks [001-159]", async () => {
    for (const { id } of (await first().oven.call("GET", "triggers?range=[0,99]")).body)
      await first().oven.call("DELETE", `triggers/${id}`);
    clock.now = new Date("2027-10-30T12:00:00Z");
    const workflowId = await first().workflow("Hourly");
    const make = async (misfire: string) =>
      (
        await first().make({
          type: "schedule",
          name: misfire,
          target: { kind: "workflow", workflowId },
          config: { cron: "15 * * * *", timezone: "Europe/Vienna", misfire, misfireLimit: 100 },
        })
      ).id;
    const [skip, once, each] = [await make("skip"), await make("once"), await make("all")];
    for (const one of all.splice(0)) await one.stop();
    // A day of 25 hours.
    clock.now = new Date("2027-10-31T23:30:00Z");
    for (let one = 0; one < 3; one++) all.push(await startTriggers(clock, database.db));
    await tick();
    const keys = async (id: number) => (await first().deliveries(id)).map(({ key }) => key).sort();
    expect(await keys(skip)).toEqual([]);
    expect(await keys(once)).toEqual(["at:2027-10-31T23:15:00.000Z"]);
    const hours = Array.from({ length: 36 }, (_, hour) => Date.parse("2027-10-30T12:15:00Z") + hour * 3_600_000);
    expect(await keys(each)).toEqual(hours.map((at) => `at:${new Date(at).toISOString()}`));
  });
});
