import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { EdgeVM } from "@edge-runtime/vm";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, type TestBrowser } from "./browser.ts";
import { KEY as key, type OvenProcess, startOven } from "./oven-process.ts";
import { hostPage } from "./page-on-a-host.ts";

const root = join(import.meta.dirname, "../../..");
const run = promisify(execFile);
const ECHO = {
  payloadSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  initial: "done",
  states: { done: { type: "final", output: { text: "You said: {{ $.trigger.message }}" } } },
};
const APP = `import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { OvenChat } from "@oven/client/react";
createRoot(document.getElementById("root")).render(createElement(StrictMode, null, createElement(OvenChat, globalThis.shown)));
`;
const definition = {
  initial: "ask",
  states: {
    ask: { invoke: { src: "agent.humanReview", input: { title: "Fine?", show: "$.trigger" }, onDone: "done" } },
    done: { type: "final", output: { answer: "$.trigger.order" } },
  },
};
/** Starts a run, decides its review while its log is read, and gives the output and what the log ended with. */
const STORY = `async function story({ createOvenClient }, options) {
  const oven = createOvenClient(options);
  const { id } = await oven.agentWorkflows.run("fine", { order: 7 });
  const [review] = await oven.reviews.open({ run: id });
  let last = "";
  for await (const { event } of oven.agentWorkflows.events(id)) {
    if (event === "execution.paused") await oven.reviews.decide(review, { action: "approve" });
    last = event;
  }
  const { status, output } = await oven.agentWorkflows.wait(id);
  return JSON.stringify({ status, output, last });
}`;
const TOLD = '{"status":"completed","output":{"answer":7},"last":"end"}';
const PROGRAM = `import { createOvenClient, OvenError, type RunDetail } from "@oven/client";

declare module "@oven/client" {
  interface AgentWorkflowTypes {
    fine: { input: { order: number }; output: { answer: number } };
  }
}
const oven = createOvenClient({ url: process.env.URL ?? "", key: process.env.KEY ?? "" });
const run: RunDetail<{ answer: number }> = await oven.agentWorkflows.run("fine", { order: 7 });
// @ts-expect-error an order is a number
export const wrong = () => oven.agentWorkflows.start("fine", { order: "7" });
export const isKnown = (error: unknown): boolean => error instanceof OvenError && error.code === "NOT_FOUND";
console.log(run.status);
`;

describe("the packed client", () => {
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let folder: string;
  let installed: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "oven-client-package-"));
    await run(process.execPath, [join(root, "tooling/src/client-pack.ts"), "--out", folder]);
    const packed = (await readdir(folder)).find((file) => file.endsWith(".tgz"));
    await writeFile(join(folder, "package.json"), '{"name":"a-project","type":"module","private":true}');
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", `./${packed}`], { cwd: folder });
    installed = join(folder, "node_modules/@oven/client");
    oven = await startOven({ bootstrap: true });
    const made = await oven.call("POST", "agent-workflows", { name: "Fine", definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    chromium = await openBrowser();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    await rm(folder, { recursive: true });
  });

  it("is all that an empty project needs: it compiles by its types and runs in Node", async () => {
    await writeFile(join(folder, "program.ts"), PROGRAM);
    const compilerOptions = {
      ...{ target: "ES2024", module: "NodeNext", strict: true, exactOptionalPropertyTypes: true, noEmit: true },
      ...{
        lib: ["ES2024", "DOM"],
        skipLibCheck: false,
        typeRoots: [join(root, "node_modules/@types")],
        types: ["node"],
      },
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    const compiled = run(join(root, "node_modules/.bin/tsc"), ["-p", folder]);
    expect((await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }))).stdout).toBe("");
    const env = { ...process.env, URL: oven.url, KEY: key };
    const { stdout } = await run(process.execPath, ["program.ts"], { cwd: folder, env });
    expect(stdout.trim()).toBe("paused");
    const story = `${STORY}\nconsole.log(await story(await import("@oven/client"), { url: process.env.URL, key: process.env.KEY }));`;
    await writeFile(join(folder, "story.js"), story);
    expect((await run(process.execPath, ["story.js"], { cwd: folder, env })).stdout.trim()).toBe(TOLD);
  });

  it("runs in a browser", async () => {
    const client = await readFile(join(installed, "dist/index.js"), "utf8");
    const files = { "/client.js": ["text/javascript", client] } as const;
    const { url, close } = await hostPage({ files, forwarded: "/api/", oven: oven.url });
    const { page } = await chromium.newPage();
    await page.goto(url);
    const told = await page.evaluate(
      `(async () => { ${STORY}; return story(await import("/client.js"), ${JSON.stringify({ url, key })}); })()`,
    );
    expect(told).toBe(TOLD);
    await page.close();
    close();
  });

  it("shows an embed as a component of React", async () => {
    await writeFile(join(folder, "app.js"), APP);
    const alias = Object.fromEntries(
      ["react", "react-dom/client"].map((name) => [name, fileURLToPath(import.meta.resolve(name))]),
    );
    const bundle = await rolldown({
      ...{ input: join(folder, "app.js"), platform: "browser", resolve: { alias } },
      transform: { define: { "process.env.NODE_ENV": '"production"' } },
    });
    const { output } = await bundle.generate({ format: "esm" });
    const files = {
      "/": [
        "text/html",
        '<!doctype html><title>Shop</title><div id="root"></div><script type="module" src="/app.js"></script>',
      ],
      "/app.js": ["text/javascript", output[0].code],
    } as const;
    const { url, close } = await hostPage({ files, forwarded: "/api/", oven: oven.url });
    const { body: flow } = await oven.call("POST", "agent-workflows", { name: "Echo", definition: ECHO });
    const target = { kind: "agent-workflow", id: flow.id };
    const { body: embed } = await oven.call("POST", "embeds", { name: "Shop", origins: [url], target });
    const strict = await openBrowser();
    const { page, complaints } = await strict.newPage();
    await page.addInitScript(`globalThis.shown = ${JSON.stringify({ server: oven.url, embed: embed.publicId })}`);
    await page.goto(url);
    await page.getByRole("textbox", { name: "Message" }).fill("Hello");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("You said: Hello").waitFor();
    expect(await page.getByRole("textbox", { name: "Message" }).count()).toBe(1);
    expect(complaints).toEqual([]);
    await strict.close();
    close();
  });

  it("runs in an edge runtime, which has nothing of Node", async () => {
    const bundle = await rolldown({ input: join(installed, "dist/index.js"), platform: "neutral" });
    const { output } = await bundle.generate({ format: "iife", name: "client" });
    const edge = new EdgeVM({ codeGeneration: { strings: false, wasm: false } });
    expect(edge.evaluate("typeof process + typeof require + typeof Buffer")).toBe("undefinedundefinedundefined");
    edge.evaluate(`${output[0].code}\n${STORY}\nglobalThis.client = client;\nglobalThis.story = story;`);
    expect(await edge.evaluate(`story(client, ${JSON.stringify({ url: oven.url, key })})`)).toBe(TOLD);
  });
});
