import { openBrowser, shoot } from "./browser.ts";
import { DEMOS } from "./demos/build-demo.ts";
import { runDemo } from "./demos/run-demo.ts";
import { startOven } from "./oven-process.ts";
import { signUp } from "./sign-up.ts";

/*
 * `pnpm editor:demos [slug] [mouse|keyboard]`: builds the three demo workflows in Chromium on an empty canvas, with the mouse alone and
 * with the keyboard alone, publishes each and runs it to its end. It ends with 1 when one is not what the demo is.
 */
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
process.exitCode = failed === 0 ? 0 : 1;
