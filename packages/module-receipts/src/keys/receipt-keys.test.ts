import { createTestPglite } from "@oven/db/testing";
import { expect, it } from "vitest";
import { REFUND, ReceiptOven } from "../issue/testing/receipt-oven.ts";

const [BEFORE, AFTER] = ["a-secret-of-before-0123456789-abcdef", "a-secret-of-after-0123456789-abcdefg"];

it("go on signing when the installation's secret is replaced", async () => {
  const db = await createTestPglite();
  const sealed = () => db.query<{ sealed: string }>("select sealed from receipt_keys");
  const issue = async (environment: { secret: string; previousSecrets?: string[] }) => {
    const oven = await ReceiptOven.start(db, environment);
    const { run } = await oven.run(REFUND);
    await oven.approveAll(run);
    const { ok, receipt } = await oven.verify(run);
    await oven.oven.stop();
    return { ok, kid: receipt?.kid };
  };
  const first = await issue({ secret: BEFORE });
  const [old] = await sealed();
  const second = await issue({ secret: AFTER, previousSecrets: [BEFORE] });
  expect([first.ok, second]).toEqual([true, first]);
  expect(await sealed()).not.toEqual([old]);
  // The earlier secret is no longer needed.
  expect(await issue({ secret: AFTER })).toEqual(first);
  await db.close();
});

it("is one, however many processes ask for the first", async () => {
  const oven = await ReceiptOven.start();
  const runs = [];
  for (let count = 0; count < 3; count++) {
    const { run } = await oven.run(REFUND);
    await oven.approveAll(run);
    runs.push(run);
  }
  const receipts = await Promise.all(runs.map((run) => oven.verify(run)));
  expect(new Set(receipts.map(({ receipt }) => receipt?.kid)).size).toBe(1);
  expect((await oven.keys()).keys).toHaveLength(1);
  await oven.oven.stop();
});
