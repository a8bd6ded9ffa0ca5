import { isDeepStrictEqual } from "node:util";
import type { Definition } from "@oven/contract/workflow";
import type { Page } from "playwright-core";
import { EMPTY } from "../editor-page.ts";
import type { OvenProcess } from "../oven-process.ts";
import { buildDemo, type DemoSlug, toBare } from "./build-demo.ts";
import { Keys, Mouse } from "./hand.ts";

export type HandKind = "mouse" | "keyboard";

/** Builds a demo by hand on an empty canvas, publishes it and runs it to its end. Answers what was published, and the run. */
export async function runDemo(
  oven: OvenProcess,
  page: Page,
  slug: DemoSlug,
  kind: HandKind,
): Promise<{ isSame: boolean; built: unknown; wanted: unknown; status: string }> {
  const { body: made } = await oven.call("POST", "agent-workflows", { name: `${slug} by ${kind}`, definition: EMPTY });
  await page.goto(`${oven.url}/agent-workflows/${made.id}/editor`);
  await page.locator("section.oven-canvas[data-ready=true]").waitFor();
  const hand = kind === "mouse" ? new Mouse(page) : new Keys(page);
  const demo = (await oven.call("GET", `agent-workflows/${slug}`)).body.definition as Definition; // cast: what the product ships
  await buildDemo(slug, demo, page, hand);
  await hand.leave();
  // A warning is no obstacle: that a text is never read, for one.
  await page.getByText(/^(valid|\d+ warnings?)$/).waitFor();
  await hand.press("Publish");
  await page.getByLabel("Note to this version").waitFor();
  const dialog = page.getByRole("dialog");
  if (kind === "mouse") await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  else await hand.press("Publish");
  await page.getByText("v2 live").waitFor();
  const { body: workflow } = await oven.call("GET", `agent-workflows/${made.id}`);
  const built = toBare(workflow.definition);
  const wanted = toBare(demo);
  return { isSame: isDeepStrictEqual(built, wanted), built, wanted, status: await runToEnd(oven, made.id, demo) };
}

/** With the demo's first example; who is asked says yes. */
async function runToEnd(oven: OvenProcess, id: number, demo: Definition): Promise<string> {
  const examples = demo.meta?.examples as { input: unknown }[]; // cast: each demo has some
  const started = await oven.call("POST", `agent-workflows/${id}/execute?wait=30`, { input: examples[0]?.input });
  if (started.body.status !== "paused") return started.body.status;
  const { body: reviews } = await oven.call("GET", "reviews");
  const review = (reviews as { id: number; executionId: number }[]).find(
    ({ executionId }) => executionId === started.body.id,
  ); // cast: a list of rows
  await oven.call("POST", `reviews/${review?.id}/decide`, { action: "approve" });
  for (let turn = 0; ; turn += 1) {
    const { body } = await oven.call("GET", `agent-workflow-executions/${started.body.id}`);
    if (["completed", "failed", "cancelled", "stopped"].includes(body.status) || turn > 150) return body.status;
    await new Promise((done) => setTimeout(done, 200));
  }
}
