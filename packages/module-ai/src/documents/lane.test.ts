import { expect, it } from "vitest";
import { Lane } from "./lane.ts";

it("work in a lane is done one after the other, also after one that failed", async () => {
  const lane = new Lane();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lane.run(async () => {
    seen.push("first begins");
    await gate.promise;
    throw new Error("first failed");
  });
  const second = lane.run(async () => {
    seen.push("second");
    return 2;
  });
  await Promise.resolve();
  gate.resolve();
  await expect(first).rejects.toThrow("first failed");
  seen.push("first ended");
  expect(await second).toBe(2);
  expect(seen[0]).toBe("first begins");
  expect(seen.indexOf("second")).toBeGreaterThan(0);
});
