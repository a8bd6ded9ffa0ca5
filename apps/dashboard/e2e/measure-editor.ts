import { cpus, loadavg } from "node:os";
import type { JsonObject } from "@oven/contract";
import type { Page } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { countScripts } from "./measure-screens.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { signUp } from "./sign-up.ts";

/*
 * `node apps/dashboard/e2e/measure-editor.ts`: the editor with 1,000 states and 1,500 lines in Chromium, on the built dashboard.
 * There is no GPU to count frames with, so work is that of the main thread, per frame, from a trace. Each number is printed beside its
 * limit; one that is missed ends it with 1. Times of the clock mean something on a machine that does nothing else.
 */
const STATES = 1_000;
const LINES = 1_500;
const WIDTH = 25;

function largeDefinition(placed: boolean): JsonObject {
  const states: JsonObject = {};
  const positions: JsonObject = {};
  for (let index = 0; index < STATES - 1; index += 1) {
    const next = `s${index + 1}`;
    const invoke: JsonObject = {
      src: "core.log",
      input: { message: `Step ${index}` },
      onDone: index === STATES - 2 ? "done" : next,
    };
    // Every second one has a way for errors, so that there are 1,500 lines.
    if (index % 2 === 0 && index < (LINES - STATES) * 2) invoke.onError = `s${Math.min(STATES - 2, index + WIDTH)}`;
    states[`s${index}`] = { label: `Step ${index}`, invoke };
    positions[`s${index}`] = { x: (index % WIDTH) * 310, y: Math.floor(index / WIDTH) * 170 };
  }
  states.done = { type: "final" };
  positions.done = { x: 0, y: Math.ceil(STATES / WIDTH) * 170 };
  return { initial: "s0", states, ...(placed ? { meta: { positions } } : {}) };
}

interface TraceEvent {
  name: string;
  ph: string;
  ts: number;
  dur?: number;
  /** Processor time of the thread: what other processes of the machine take does not count. */
  tdur?: number;
  pid: number;
  tid: number;
  args?: { name?: string };
}

/** Milliseconds of main-thread work in each frame while something is done. */
async function workPerFrame(page: Page, act: () => Promise<void>): Promise<number[]> {
  return (await traced(page, act)).frames;
}

/** That, and what the busiest other thread of the page, such as that of the layout, worked in all. */
async function traced(page: Page, act: () => Promise<void>): Promise<{ frames: number[]; beside: number }> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[]))); // cast: the trace format
  const complete = new Promise<void>((done) => session.once("Tracing.tracingComplete", () => done()));
  await session.send("Tracing.start", {
    transferMode: "ReportEvents",
    categories: "devtools.timeline,toplevel,disabled-by-default-devtools.timeline",
  });
  await act();
  await session.send("Tracing.end");
  await complete;
  const frames = events
    .filter(({ name, ph }) => name === "Commit" && ph === "X")
    .sort((one, other) => one.ts - other.ts);
  const [first] = frames;
  if (first === undefined) throw new Error("the trace has no frames");
  const work = new Array<number>(frames.length).fill(0);
  for (const { name, ph, ts, dur = 0, tdur, pid, tid } of events) {
    if (name !== "RunTask" || ph !== "X" || pid !== first.pid || tid !== first.tid) continue;
    // A task works for the frame that is committed in it or next.
    const at = frames.findIndex((frame) => frame.ts >= ts);
    if (at >= 0) work[at] = (work[at] ?? 0) + (tdur ?? dur) / 1_000;
  }
  const others = new Map<number, number>();
  for (const { name, ph, dur = 0, tdur, pid, tid } of events)
    if (name === "RunTask" && ph === "X" && pid === first.pid && tid !== first.tid)
      others.set(tid, (others.get(tid) ?? 0) + (tdur ?? dur) / 1_000);
  return { frames: work, beside: Math.max(0, ...others.values()) };
}

let missed = 0;

/** Prints a number beside its limit. */
function report(what: string, value: number, limit: number, unit: string, more = ""): void {
  const holds = value <= limit;
  if (!holds) missed += 1;
  const words = `${holds ? "✓" : "✗"} ${what}: ${round(value)} ${unit} (limit ${limit} ${unit})`;
  process.stdout.write(`${words}${more === "" ? "" : ` · ${more}`}\n`);
}
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const round = (value: number): number => Math.round(value * 10) / 10;
const spread = (values: readonly number[]): string =>
  `p50 ${round(percentile(values, 0.5))}, worst ${round(Math.max(...values))}, ${values.length} of them`;

/** Milliseconds from each key to the paint that shows it, as the browser measures them; under 16 it does not say, so they count as 16. */
async function keyToPaint(page: Page, text: string): Promise<number[]> {
  await page.evaluate(`globalThis.painted = []; globalThis.keys?.disconnect(); globalThis.keys = new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === "keydown") painted.push(duration);
  }); keys.observe({ type: "event", durationThreshold: 16 })`);
  await page.keyboard.type(text, { delay: 60 });
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200)))");
  const slow = (await page.evaluate("painted")) as number[]; // cast: durations
  return [...slow, ...Array.from({ length: Math.max(0, text.length - slow.length) }, () => 16)];
}

/** What is still in use after the garbage is gone, in MB. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  for (let turn = 0; turn < 3; turn += 1) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1_000_000;
}

/** So many changes and as many steps back, by the keys of the editor. */
async function changeAndUndo(page: Page, rounds: number): Promise<void> {
  await page.evaluate(`(async () => {
    const press = (key, ctrlKey) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true }));
    for (let round = 0; round < ${rounds}; round += 1) {
      for (let step = 0; step < 250; step += 1) press("d", false);
      for (let step = 0; step < 250; step += 1) press("z", true);
      await new Promise((done) => requestAnimationFrame(done));
    }
  })()`);
}

async function openEditor(page: Page, url: string, name: string): Promise<number> {
  // In the page already: what counts is the editor, not the sign-in.
  const before = Date.now();
  await page.evaluate(
    `history.pushState({}, "", ${JSON.stringify(url)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
  await page
    .locator(`section.oven-canvas[aria-label="Graph of ${name}"][data-drawn=true] .oven-card`)
    .first()
    .waitFor();
  return Date.now() - before;
}

async function create(oven: OvenProcess, name: string, definition: JsonObject): Promise<number> {
  const { status, body } = await oven.call("POST", "workflows", { name, definition });
  if (status !== 201) throw new Error(`not created: ${status} ${JSON.stringify(body).slice(0, 400)}`);
  return body.id;
}

async function measure(): Promise<void> {
  const oven = await startOven({ env: { OVEN_DEMO: "1" } });
  const chromium = await openBrowser();
  try {
    const { page } = await chromium.newPage({ width: 1440, height: 900 });
    const scripts = countScripts(page);
    await signUp(page, oven);
    await page.waitForLoadState("networkidle");
    const shell = scripts();
    const small = await create(oven, "Small", {
      initial: "log",
      states: {
        log: { invoke: { src: "core.log", input: { message: "x" }, onDone: "done" } },
        done: { type: "final" },
      },
    });
    await openEditor(page, `/workflows/${small}/editor`, "Small");
    // With the inspector of a state and the runs.
    await page.locator('.react-flow__node[data-id="log"]').click();
    await page.getByRole("complementary", { name: /^Settings of/ }).waitFor();
    await page.getByRole("button", { name: "Past runs" }).click();
    await page.waitForLoadState("networkidle");
    report(
      "JavaScript the editor adds",
      (scripts() - shell) / 1_000,
      450,
      "kB gzip",
      `shell ${round(shell / 1_000)} kB`,
    );
    await page.getByRole("button", { name: "Past runs" }).click();

    await changeAndUndo(page, 4);
    const before = await heapOf(page);
    await changeAndUndo(page, 40);
    report("heap kept by 10,000 changes and as many undone", (await heapOf(page)) - before, 3, "MB");

    const placed = await create(oven, "Placed", largeDefinition(true));
    report("open 1,000 states", await openEditor(page, `/workflows/${placed}/editor`, "Placed"), 1_500, "ms");
    await page.waitForLoadState("networkidle");
    const card = await page.locator('.react-flow__node[data-id="s1"]').boundingBox();
    if (card === null) throw new Error("the second state is not in view");
    const dragging = await workPerFrame(page, async () => {
      await page.mouse.move(card.x + 60, card.y + 20);
      await page.mouse.down();
      for (let step = 0; step < 90; step += 1)
        await page.mouse.move(card.x + 60 + step * 3, card.y + 20 + Math.sin(step / 5) * 60);
      await page.mouse.up();
    });
    report("drag, work per frame p95", percentile(dragging, 0.95), 20, "ms", spread(dragging));
    const panning = await workPerFrame(page, async () => {
      await page.mouse.move(1_000, 700);
      await page.mouse.down();
      for (let step = 0; step < 90; step += 1) await page.mouse.move(1_000 - step * 6, 700 - step * 3);
      await page.mouse.up();
    });
    report("pan, work per frame p95", percentile(panning, 0.95), 20, "ms", spread(panning));

    await page.locator(".react-flow__node.react-flow__node-state").first().click();
    const panel = page.getByRole("complementary", { name: /^Settings of/ });
    for (const field of ["Label", "Message"]) {
      await panel.getByLabel(field, { exact: true }).click();
      let typed: number[] = [];
      const text = "The quick brown fox jumps over the lazy dog";
      const work = await workPerFrame(page, async () => {
        typed = await keyToPaint(page, text);
      });
      const perKey = work.reduce((sum, one) => sum + one, 0) / text.length;
      report(
        `typing into ${field}, key to paint p95`,
        percentile(typed, 0.95),
        50,
        "ms",
        `${spread(typed)}; work of a key ${round(perKey)} ms`,
      );
    }

    await page.locator(".react-flow__pane").click({ position: { x: 4, y: 4 } });
    await page.waitForLoadState("networkidle");
    const started = Date.now();
    const laying = await traced(page, async () => {
      await page.keyboard.press("Shift+L");
      await page.locator("section.oven-canvas[data-ready=false]").waitFor();
      await page.locator("section.oven-canvas[data-ready=true]").waitFor();
    });
    report(
      "lay out 1,000 states",
      Date.now() - started,
      3_000,
      "ms",
      `processor time of the worker ${round(laying.beside)} ms, of the main thread ${round(laying.frames.reduce((sum, one) => sum + one, 0))} ms`,
    );
    const unplaced = await create(oven, "Laid out", largeDefinition(false));
    report(
      "open 1,000 states without places",
      await openEditor(page, `/workflows/${unplaced}/editor`, "Laid out"),
      1_500,
      "ms",
    );
  } finally {
    await chromium.close();
    await oven.kill("SIGKILL");
  }
}

await measure();
process.stdout.write(`load of the machine meanwhile: ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores\n`);
process.exitCode = missed === 0 ? 0 : 1;
