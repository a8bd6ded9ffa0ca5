import type { JsonObject } from "@oven/contract";
import type { Locator, Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";
import { signUp } from "./sign-up.ts";

export const EMPTY = { initial: "done", states: { done: { type: "final" } } };

/** Resolves in the page once neither steps nor view move. */
export const QUIET = `new Promise((done) => {
  let last = "";
  let same = 0;
  const look = () => {
    const now = [...document.querySelectorAll(".react-flow__node, .react-flow__viewport")].map((node) => node.style.transform).join();
    same = now === last ? same + 1 : 0;
    last = now;
    if (same > 4) done(true); else requestAnimationFrame(look);
  };
  look();
})`;

/** A server, a browser with its first admin signed in, and what tests of the editor do with both. */
export class EditorPage {
  readonly oven: OvenProcess;
  readonly chromium: TestBrowser;
  readonly page: Page;
  /** What the browser's console was told that went wrong. */
  readonly complaints: string[];

  private constructor(oven: OvenProcess, chromium: TestBrowser, page: Page, complaints: string[]) {
    this.oven = oven;
    this.chromium = chromium;
    this.page = page;
    this.complaints = complaints;
  }

  static async start(env: Record<string, string> = {}): Promise<EditorPage> {
    const oven = await startOven({ bootstrap: true, env });
    const chromium = await openBrowser();
    const { page, complaints } = await chromium.newPage({ width: 1440, height: 900 });
    await signUp(page, oven);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: oven.url });
    return new EditorPage(oven, chromium, page, complaints);
  }

  async close(): Promise<void> {
    await this.chromium.close();
    await this.oven.kill("SIGKILL");
  }

  async create(resource: string, name: string, definition: object = EMPTY): Promise<number> {
    const { status, body } = await this.oven.call("POST", resource, { name, definition });
    if (status !== 201) throw new Error(`${name} was not created: ${status} ${JSON.stringify(body)}`);
    return body.id;
  }

  /** In another window of the same person: its page. */
  async open(resource: string, id: number | string, page: Page = this.page): Promise<void> {
    await page.goto(`${this.oven.url}/${resource}/${id}/editor`);
    await this.settled(page);
  }

  /** Everything stands where it will stand: several frames in which nothing on the canvas has moved. */
  async settled(page: Page = this.page): Promise<void> {
    await page.locator("section.oven-canvas[data-ready=true]").waitFor();
    await page.evaluate(QUIET);
  }

  card(id: string): Locator {
    return this.page.locator(`.react-flow__node[data-id="${id}"]`);
  }

  /** What a run has made of a state, on its card. */
  badge(id: string): Locator {
    return this.card(id).locator(".oven-card__progress");
  }

  /** The settings of what is selected. */
  panel(): Locator {
    return this.page.getByRole("complementary", { name: /^Settings of/ });
  }

  async saved(): Promise<void> {
    await this.page.getByText(/Draft · saved/).waitFor();
  }

  /** The draft the server has. */
  async draftOf(resource: string, id: number | string) {
    return (await this.oven.call("GET", `${resource}/${id}/draft`)).body.definition;
  }

  /** Empties the canvas through its own commands. */
  async emptyCanvas(): Promise<void> {
    await this.page.locator(".react-flow__pane").click({ position: { x: 500, y: 40 } });
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.press("Delete");
    await this.page.getByText("Nothing here yet.").waitFor();
  }

  /** What the console should not have been told; `expected`: answers a story asks for. */
  faults(expected: RegExp): string[] {
    return this.complaints.filter((complaint) => !expected.test(complaint));
  }
}

/** A state that puts out a text. */
export const saying = (message: string, onDone: string): JsonObject => ({
  invoke: { src: "core.transform", input: { mapping: { said: message } }, onDone },
});
