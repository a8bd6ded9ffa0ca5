import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

/** Bytes of the young generation after the work of a start, and after the same work once more. */
async function youngBytes(isSmall: boolean): Promise<{ started: number; worked: number }> {
  const program = `
    import { getHeapSpaceStatistics } from "node:v8";
    import { withSmallHeap } from ${JSON.stringify(join(import.meta.dirname, "small-start.ts"))};
    const kept = [];
    const load = async () => { for (let n = 0; n < 400_000; n++) kept.push({ n, text: "t" + n }); };
    const young = () => getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size;
    await (${isSmall} ? withSmallHeap(load) : load());
    const started = young();
    await load();
    process.stdout.write(JSON.stringify({ started, worked: young() }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    env: { PATH: process.env.PATH },
  });
  return JSON.parse(stdout);
}

describe("a start with a small heap", () => {
  it("leaves a small young generation, which grows with the work after it", async () => {
    const [small, plain] = [await youngBytes(true), await youngBytes(false)];
    expect(small.started).toBeLessThan(plain.started / 4);
    expect(small.worked).toBeGreaterThan(small.started * 4);
  });
});
