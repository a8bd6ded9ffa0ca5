import { gzipSync } from "node:zlib";
import type { JsonObject } from "@oven/contract";
import type { Page } from "playwright-core";
import { openBrowser, shoot } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";

/*
 * `node apps/dashboard/e2e/measure-editor.ts`: the editor with 1,000 states and 1,500 lines in Chromium, on the built dashboard.
 * There is no GPU to count frames with, so work is that of the main thread, per frame, from a trace.
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
  return work;
}

const report = (line: string): boolean => process.stdout.write(`${line}\n`);
const percentile = (values: number[], share: number): number =>
  [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const round = (value: number): number => Math.round(value * 10) / 10;

async function openEditor(page: Page, url: string): Promise<number> {
  // In the page already: what counts is the editor, not the sign-in.
  const before = Date.now();
  await page.evaluate(
    `history.pushState({}, "", ${JSON.stringify(url)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
  await page.locator("section.oven-canvas[data-drawn=true] .oven-card").first().waitFor();
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
    let scripts = 0;
    page.on("response", async (response) => {
      if (!response.url().includes("/_next/static/") || !response.url().endsWith(".js")) return;
      const body = await response.body().catch(() => Buffer.alloc(0));
      // The layout worker is loaded beside the page.
      if (!body.includes("org.eclipse.elk")) scripts += gzipSync(body).length;
    });
    await page.goto(oven.setupUrl ?? "");
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
    await page.waitForLoadState("networkidle");
    const shell = scripts;
    const small = await create(oven, "Small", { initial: "done", states: { done: { type: "final" } } });
    await openEditor(page, `/workflows/${small}/editor`);
    await page.waitForLoadState("networkidle");
    report(
      `JavaScript the editor adds: ${round((scripts - shell) / 1_000)} kB gzip (the shell: ${round(shell / 1_000)} kB)`,
    );

    const placed = await create(oven, "Placed", largeDefinition(true));
    report(`open, placed: ${await openEditor(page, `/workflows/${placed}/editor`)} ms`);
    await page.waitForLoadState("networkidle");
    await shoot(page, "editor-large");
    const card = await page.locator('.react-flow__node[data-id="s1"]').boundingBox();
    if (card === null) throw new Error("the second state is not in view");
    const dragging = await workPerFrame(page, async () => {
      await page.mouse.move(card.x + 60, card.y + 20);
      await page.mouse.down();
      for (let step = 0; step < 90; step += 1)
        await page.mouse.move(card.x + 60 + step * 3, card.y + 20 + Math.sin(step / 5) * 60);
      await page.mouse.up();
    });
    report(
      `drag: ${dragging.length} frames, p50 ${round(percentile(dragging, 0.5))} ms, p95 ${round(percentile(dragging, 0.95))} ms, worst ${round(Math.max(...dragging))} ms`,
    );
    const panning = await workPerFrame(page, async () => {
      await page.mouse.move(1_000, 700);
      await page.mouse.down();
      for (let step = 0; step < 90; step += 1) await page.mouse.move(1_000 - step * 6, 700 - step * 3);
      await page.mouse.up();
    });
    report(
      `pan: ${panning.length} frames, p50 ${round(percentile(panning, 0.5))} ms, p95 ${round(percentile(panning, 0.95))} ms, worst ${round(Math.max(...panning))} ms`,
    );
    const laidOut = await create(oven, "Laid out", largeDefinition(false));
    const before = Date.now();
    report(`open, to be laid out: ${await openEditor(page, `/workflows/${laidOut}/editor`)} ms`);
    await page.locator("section.oven-canvas[data-ready=true]").waitFor();
    report(`laid out after ${Date.now() - before} ms`);
  } finally {
    await chromium.close();
    await oven.kill("SIGKILL");
  }
}

await measure();
