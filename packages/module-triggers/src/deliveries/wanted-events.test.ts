import { expect, it } from "vitest";
import { WantedEvents } from "./wanted-events.ts";

it("keeps what a later reading has found when an earlier one ends after it", async () => {
  const readings: PromiseWithResolvers<string[]>[] = [];
  const wanted = new WantedEvents({}, () => {
    const reading = Promise.withResolvers<string[]>();
    readings.push(reading);
    return reading.promise;
  });
  const earlier = wanted.refresh();
  const later = wanted.refresh();
  readings[1]?.resolve(["shop.refund.disputed"]);
  await later;
  readings[0]?.resolve([]);
  await earlier;
  expect(wanted.includes("shop.refund.disputed")).toBe(true);
  const last = wanted.refresh();
  readings[2]?.resolve([]);
  await last;
  expect(wanted.includes("shop.refund.disputed")).toBe(false);
});
