import { openBrowser, shoot } from "./browser.ts";
import { DEMOS } from "./demos/build-demo.ts";
import { runDemo } from "./demos/run-demo.ts";
import { runFirstGraph } from "./demos/run-first-graph.ts";
import { startOven } from "./oven-process.ts";
import { signUp } from "./sign-up.ts";

/*
 * `pnpm editor:demos [slug] [mouse|keyboard]`: builds the three demo workflows in Chromium on an empty canvas, with the mouse alone and
 * with the keyboard alone, publishes each and runs it to its end. It ends with 1 when one is not what the demo is. `first-graph` is what a
 * newcomer builds, from the home page on by mouse and without JSON: its clicks are counted.
 */
const MAX_CLICKS = 45;
const [onlySlug, onlyKind] = process.argv.slice(2);
const oven = await startOven();
const chromium = await openBrowser();
let failed = 0;
try {
  const { page } = await chromium.newPage({ width: 1600, height: 1000 });
  await signUp(page, oven);
  for (const slug of DEMOS)
    for (const kind of ["mouse", "keyboard"] as const) {
      if ((onlySlug ?? slug) !== slug || (onlyKind ?? kind) !== kind) continue;
      const started = Date.now();
      try {
        const { isSame, built, wanted, status } = await runDemo(oven, page, slug, kind);
        const holds = isSame && status === "completed";
        if (!holds) failed += 1;
        process.stdout.write(
          `${holds ? "✓" : "✗"} ${slug} by ${kind}: ${isSame ? "the demo" : "another definition"}, ${status}, ${Math.round((Date.now() - started) / 1_000)} s\n`,
        );
        if (!isSame)
          process.stdout.write(`${JSON.stringify(built, null, 1)}\n---\n${JSON.stringify(wanted, null, 1)}\n`);
      } catch (error) {
        failed += 1;
        process.stdout.write(`✗ ${slug} by ${kind}: ${error instanceof Error ? error.stack : String(error)}\n`);
        await shoot(page, `demo-${slug}-${kind}`);
      }
    }
} finally {
  await chromium.close();
  await oven.kill("SIGKILL");
}
if ((onlySlug ?? "first-graph") === "first-graph") {
  const { clicks, seconds, verdict, status } = await runFirstGraph();
  const holds = clicks <= MAX_CLICKS && verdict === "valid" && status === "completed";
  if (!holds) failed += 1;
  process.stdout.write(
    `${holds ? "✓" : "✗"} first-graph by mouse: ${clicks} clicks (at most ${MAX_CLICKS}), ${verdict}, ${status}, ${Math.round(seconds)} s of a hand that does not think\n`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;
