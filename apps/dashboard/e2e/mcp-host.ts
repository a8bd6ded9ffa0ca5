import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "@modelcontextprotocol/client";
import type { JsonObject } from "@oven/contract";
import type { Frame, Page } from "playwright-core";

/** What the extension wants of a client that shows a view which declares no address. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

/** The client's side of a view: its answers to the view's requests, and what it has asked for. */
const HOST_PAGE = `<!doctype html><title>Host</title><body style="margin:0"><script>
window.asked = [];
window.begin = (viewUrl, context, args, result) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "width:100%;border:0;height:300px";
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  window.tell = (method, params) => send({ method, params });
  addEventListener("message", async ({ source, data: { id, method, params } }) => {
    if (source !== frame.contentWindow || method === undefined) return;
    window.asked.push({ method, params });
    if (method === "ui/initialize")
      send({ id, result: { protocolVersion: "2026-01-26", hostInfo: { name: "host", version: "1" },
        hostCapabilities: { serverTools: {}, openLinks: {} }, hostContext: context } });
    if (method === "ui/notifications/initialized") {
      tell("ui/notifications/tool-input", { arguments: args });
      tell("ui/notifications/tool-result", result);
    }
    if (method === "ui/notifications/size-changed") frame.style.height = params.height + "px";
    if (method === "ui/open-link") send({ id, result: {} });
    if (method === "tools/call") {
      const { error, result } = await window.callServer(params);
      send(error === undefined ? { id, result } : { id, error: { code: -32000, message: error } });
    }
  });
  frame.src = viewUrl;
  document.body.append(frame);
};
</script></body>`;

export interface McpHost {
  /** Calls the tool as a model would, and shows its view in a page. @returns the window of the view */
  show(page: Page, tool: string, args: JsonObject, context?: JsonObject): Promise<Frame>;
  /** What the view in the page has asked its client for. */
  asked(page: Page): Promise<{ method: string; params: JsonObject }[]>;
  /** Tells the view something. */
  tell(page: Page, method: string, params: JsonObject): Promise<void>;
  close(): Promise<void>;
}

/** A client that shows views: in a window of another origin, sandboxed, with the policy that the extension wants. */
export async function openMcpHost(client: Client): Promise<McpHost> {
  const views = new Map<string, string>();
  const server = createServer(({ url = "/" }, response) => {
    const view = views.get(decodeURIComponent(url.slice(1)));
    if (view !== undefined) response.setHeader("content-security-policy", POLICY);
    response.setHeader("content-type", "text/html; charset=utf-8").end(view ?? HOST_PAGE);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // cast: it listens on TCP
  return {
    show: async (page, tool, args, context = { theme: "light", locale: "en" }) => {
      const { tools } = await client.listTools();
      const meta = tools.find(({ name }) => name === tool)?._meta as { ui: { resourceUri: string } }; // cast: fails where there is none
      const { contents } = await client.readResource({ uri: meta.ui.resourceUri });
      const [content] = contents;
      if (content === undefined || !("text" in content)) throw new Error(`${meta.ui.resourceUri} is no text`);
      views.set(meta.ui.resourceUri, content.text);
      await page.exposeFunction("callServer", async (params: { name: string; arguments: JsonObject }) => {
        try {
          return { result: await client.callTool(params) };
        } catch (error) {
          return { error: String(error) };
        }
      });
      await page.goto(`http://127.0.0.1:${port}/host`);
      const result = await client.callTool({ name: tool, arguments: args });
      const viewUrl = `http://localhost:${port}/${encodeURIComponent(meta.ui.resourceUri)}`;
      await page.evaluate(`begin(${[viewUrl, context, args, result].map((value) => JSON.stringify(value)).join()})`);
      const frame = await (await page.waitForSelector("iframe")).contentFrame();
      if (frame === null) throw new Error("the view has no window");
      return frame;
    },
    asked: async (page) => (await page.evaluate("asked")) as { method: string; params: JsonObject }[], // cast: what the page collects
    tell: async (page, method, params) => {
      await page.evaluate(`tell(${JSON.stringify(method)}, ${JSON.stringify(params)})`);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
