import { connectDatabase, type Database } from "@oven/db";
import { createTestPglite, createTestPostgres, openTcpGate } from "@oven/db/testing";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { RunWatch } from "../executions/run-watch.ts";
import { createRunNotices, NO_NOTICES, type RunNotices } from "./run-notices.ts";

interface Process {
  db: Database;
  notices: RunNotices;
  heard: string[];
}

describe("what processes tell each other", () => {
  let database: { url: string; drop: () => Promise<void> };
  const processes: Process[] = [];
  /** Every message that passes, as a third one hears it. */
  let messages: string[];

  beforeEach(async () => {
    database = await createTestPostgres(inject("postgresUrl"));
    messages = [];
    const { db } = await open();
    await db.listen("oven_runs", (message) => messages.push(message));
  });
  afterEach(async () => {
    for (const { notices, db } of processes.splice(0)) {
      await notices.stop();
      await db.close();
    }
    await database.drop();
  });

  async function open(url = database.url): Promise<Process> {
    const db = await connectDatabase({ url, dataDir: "unused" });
    const heard: string[] = [];
    const notices = createRunNotices(db);
    await notices.start({
      onSignal: (id) => heard.push(`signal ${id}`),
      onHold: (id) => heard.push(`hold ${id}`),
      onWritten: (id) => heard.push(`written ${id}`),
    });
    const process = { db, notices, heard };
    processes.push(process);
    return process;
  }

  const hears = (process: Process, expected: string[]) =>
    expect.poll(() => [...process.heard].sort(), { interval: 5 }).toEqual(expected);

  it("reaches all others and never the sender", async () => {
    const [one, two, three] = [await open(), await open(), await open()];
    one.notices.signal(7);
    await hears(two, ["signal 7"]);
    await hears(three, ["signal 7"]);
    expect(one.heard).toEqual([]);
  });

  it("goes together: ids only, each once, in messages that fit", async () => {
    const [one, two] = [await open(), await open()];
    const ids = Array.from({ length: 1_000 }, (_, index) => 9_000_000_000_000_000 + index);
    for (const id of [...ids, ...ids]) one.notices.signal(id);
    await hears(
      two,
      ids.map((id) => `signal ${id}`),
    );
    // Whoever only notes messages may hear them later than who acts on them.
    await expect.poll(() => messages.length).toBe(3);
    expect(messages.every((message) => Buffer.byteLength(message) < 8_000)).toBe(true);
  });

  it("tells of writes only while somebody elsewhere views the run", async () => {
    const [worker, viewer] = [await open(), await open()];
    worker.notices.written(1);
    viewer.notices.viewing(2);
    await expect.poll(() => messages.length).toBe(1);
    // The worker may hear of the view a moment after others do.
    const writes = () => {
      worker.notices.written(1);
      worker.notices.written(2);
      return viewer.heard;
    };
    await expect.poll(writes, { interval: 20 }).toContain("written 2");
    expect(new Set(viewer.heard)).toEqual(new Set(["written 2"]));
    const told = messages.filter((message) => message.startsWith("w"));
    expect(told.every((message) => message.endsWith(" 2"))).toBe(true);
  });

  it("announces a view once, however often it is asked", async () => {
    const viewer = await open();
    for (let look = 0; look < 10; look++) viewer.notices.viewing(3);
    await expect.poll(() => messages.length).toBe(1);
    viewer.notices.viewing(3);
    viewer.notices.viewing(4);
    await expect.poll(() => messages.length).toBe(2);
    expect(messages[1]).toMatch(/ 4$/);
  });

  it("wakes those who look at a run that is worked on elsewhere", async () => {
    const [worker, viewer] = [await open(), await open()];
    const watch = new RunWatch((id) => viewer.notices.viewing(id));
    await viewer.notices.start({ onSignal: () => {}, onHold: () => {}, onWritten: (id) => watch.notify(id) });
    const subscription = watch.subscribe(5);
    let isWoken = false;
    const waiting = subscription.wait(60_000, new AbortController().signal).then(() => {
      isWoken = true;
    });
    await expect.poll(() => messages.some((message) => message.startsWith("v"))).toBe(true);
    const wokenByWrite = () => {
      worker.notices.written(5);
      return isWoken;
    };
    await expect.poll(wokenByWrite).toBe(true);
    await waiting;
    subscription.close();
  });

  it("survives a lost connection: what is said meanwhile is lost, nothing fails, and later it works again", async () => {
    const gate = await openTcpGate(database.url);
    const [one, two] = [await open(gate.url), await open()];
    await gate.shut();
    one.notices.signal(1);
    two.notices.signal(2);
    await gate.open();
    const heardAgain = async () => {
      two.notices.signal(3);
      return one.heard.includes("signal 3");
    };
    await expect.poll(heardAgain, { interval: 50 }).toBe(true);
    one.notices.signal(4);
    await expect.poll(() => two.heard.includes("signal 4")).toBe(true);
    await gate.close();
  });
});

it("with the embedded database there is nobody to tell", async () => {
  const db = await createTestPglite();
  expect(createRunNotices(db)).toBe(NO_NOTICES);
  await db.close();
});
