import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pixelmatch from "pixelmatch";
import { errors, type Page } from "playwright-core";
import sharp from "sharp";
import { openBrowser } from "./browser.ts";
import { goWithin } from "./go-within.ts";
import { startOven } from "./oven-process.ts";
import { SCREENS } from "./screens.ts";
import { seedScreens } from "./seed-screens.ts";
import { signUp } from "./sign-up.ts";
import { still } from "./still-page.ts";

/*
 * `pnpm screens [--update] [name…]`: pictures of every screen, light and dark, at 1280 and 390 px, beside those that are kept in
 * e2e/baselines. Prints for each how many of its pixels are others, writes what differs to test-results/screens, and ends with 1
 * when one does or does not show its text; `--update` keeps the new ones. Needs a build. Fonts are drawn differently elsewhere, so this is no part of CI.
 */
const BASELINES = resolve(import.meta.dirname, "baselines");
const DIFFERENCES = resolve(import.meta.dirname, "../../../test-results/screens");
/** Part of the pixels that may be others: an edge that is smoothed in another way. */
const SAME = 0.0005;
const LOOKS = [
  { width: 1280, dark: false },
  { width: 1280, dark: true },
  { width: 390, dark: false },
  { width: 390, dark: true },
];

/** Whether the page has the text; one that does not come in ten seconds does not come. */
async function shows(page: Page, text: string): Promise<boolean> {
  try {
    await page.getByText(text).filter({ visible: true }).first().waitFor();
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

/** A picture in few colours: small enough to be kept, and the same for the same pixels. */
function reduce(picture: Buffer): Promise<Buffer> {
  return sharp(picture).png({ palette: true, colours: 48, effort: 10, dither: 0 }).toBuffer();
}

/** What the page shows once it does not change any more: fonts, graphs and second questions come late. */
async function settled(page: Page): Promise<Buffer> {
  const take = () => page.screenshot({ animations: "disabled", caret: "hide" });
  let before = await take();
  for (let look = 0; look < 40; look += 1) {
    await page.waitForTimeout(250);
    const now = await take();
    if (now.equals(before) && look > 1) return now;
    before = now;
  }
  return before;
}

/** The part of the pixels that differ, and where. */
async function compare(before: Buffer, after: Buffer): Promise<{ ratio: number; picture: Buffer | null }> {
  const read = (picture: Buffer) => sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [one, other] = await Promise.all([read(before), read(after)]);
  const { width, height } = one.info;
  if (other.info.width !== width || other.info.height !== height) return { ratio: 1, picture: null };
  const difference = Buffer.alloc(one.data.length);
  const pixels = pixelmatch(one.data, other.data, difference, width, height, { threshold: 0.15 });
  const raw = { width, height, channels: 4 as const };
  return { ratio: pixels / (width * height), picture: await sharp(difference, { raw }).png().toBuffer() };
}

const update = process.argv.includes("--update");
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const screens = SCREENS.filter(([, name]) => wanted.length === 0 || wanted.includes(name));
const print = (line: string): void => void process.stdout.write(`${line}\n`);
rmSync(DIFFERENCES, { recursive: true, force: true });
mkdirSync(DIFFERENCES, { recursive: true });
mkdirSync(BASELINES, { recursive: true });
const oven = await startOven();
const chromium = await openBrowser();
const changed: string[] = [];
try {
  const { page: first } = await chromium.newPage();
  await signUp(first, oven);
  await seedScreens(oven, first);
  const { cookies } = await first.context().storageState();
  await first.context().close();
  for (const { width, dark } of LOOKS) {
    const { page } = await chromium.newPage({ width, height: 844, dark });
    await page.context().addCookies(cookies);
    await still(page);
    for (const [index, [path, screen, text]] of screens.entries()) {
      const name = `${screen}-${width}${dark ? "-dark" : ""}`;
      if (index === 0) await page.goto(`${oven.url}/${path}`);
      else await goWithin(page, path);
      if (!(await shows(page, text))) {
        print(`missing  "${text}"  ${name}`);
        changed.push(name);
        continue;
      }
      const picture = await reduce(await settled(page));
      const file = join(BASELINES, `${name}.png`);
      const known = existsSync(file) ? await compare(readFileSync(file), picture) : null;
      const isSame = known !== null && known.ratio <= SAME;
      const said = known === null ? "new" : isSame ? "same" : "changed";
      print(`${said.padEnd(8)} ${((known?.ratio ?? 0) * 100).toFixed(3).padStart(8)} %  ${name}`);
      if (isSame) continue;
      changed.push(name);
      if (update) writeFileSync(file, picture);
      else {
        writeFileSync(join(DIFFERENCES, `${name}.now.png`), picture);
        if (known?.picture) writeFileSync(join(DIFFERENCES, `${name}.difference.png`), known.picture);
      }
    }
    await page.context().close();
  }
} finally {
  await chromium.close();
  await oven.kill("SIGKILL");
}
const pictures = screens.length * LOOKS.length;
print(
  `${pictures - changed.length} of ${pictures} pictures are the same${update ? `, ${changed.length} were renewed` : ""}`,
);
if (changed.length > 0 && !update) {
  print(`What changed is in ${DIFFERENCES}. When it is meant to be so: pnpm screens --update`);
  process.exitCode = 1;
}
