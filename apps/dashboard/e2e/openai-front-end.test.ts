import { readFile } from "node:fs/promises";
import { type ModelServer, startModelServer } from "@oven/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, shoot, type TestBrowser } from "./browser.ts";
import { KEY, type OvenProcess, startOven } from "./oven-process.ts";
import { type HostedPage, hostPage } from "./page-on-a-host.ts";

const CHAT = new URL("./deepChat.bundle.js", import.meta.resolve("deep-chat"));
/** As its own documentation has it for a proxy: it speaks OpenAI's API, to another address. */
const PAGE = `<!doctype html><title>A shop</title><script type="module">
import "/chat.js";
const chat = document.createElement("deep-chat");
chat.directConnection = { openAI: { key: "the-proxy-has-it", completions: true } };
chat.connect = {
  url: "/v1/chat/completions",
  additionalBodyProps: { model: "agent:desk" },
  stream: location.pathname === "/streamed",
};
chat.style.height = "480px";
document.body.append(chat);
</script>`;

/** Deep Chat from npm, a chat for web pages that speaks OpenAI's API, with a proxy that has the key. */
describe("a chat front end of OpenAI's API", () => {
  let model: ModelServer;
  let oven: OvenProcess;
  let chromium: TestBrowser;
  let site: HostedPage;
  let page: Page;
  beforeAll(async () => {
    model = await startModelServer(
      ({ body }) => ({
        text: JSON.stringify(body.messages).includes("And then?") ? "Then it was paid." : "It was sent on Monday.",
      }),
      { models: ["house-model"] },
    );
    oven = await startOven({ bootstrap: true, env: { OPENAI_BASE_URL: model.url } });
    const made = await oven.call("POST", "agents", { name: "Desk", slug: "desk", model: "openai:house-model" });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const script = await readFile(CHAT, "utf8");
    site = await hostPage({
      files: {
        "/": ["text/html", PAGE],
        "/streamed": ["text/html", PAGE],
        "/chat.js": ["text/javascript", script],
      },
      ...{ forwarded: "/v1/", oven: oven.url, headers: { authorization: `Bearer ${KEY}` } },
    });
    chromium = await openBrowser();
    ({ page } = await chromium.newPage());
  });
  afterAll(async () => {
    await chromium?.close();
    site?.close();
    await oven?.kill("SIGKILL");
    await model?.close();
  });

  const say = async (text: string) => {
    await page.locator("#text-input").fill(text);
    await page.keyboard.press("Enter");
  };

  it("talks to an agent, and the next message goes on in the conversation", async () => {
    await page.goto(`${site.url}/`);
    await say("Where is my order?");
    await page.getByText("It was sent on Monday.").waitFor();
    await say("And then?");
    await page.getByText("Then it was paid.").waitFor();
    await shoot(page, "openai-front-end");
    const { messages = [] } = model.requests.at(-1)?.body ?? {};
    expect(JSON.stringify(messages)).toContain("Where is my order?");
  });

  it("shows the answer as it streams", async () => {
    await page.goto(`${site.url}/streamed`);
    await say("Where is my order?");
    await page.getByText("It was sent on Monday.").waitFor();
  });
});
