import { t } from "@oven/i18n";

/** What the client says of itself, as far as a view needs it. */
export interface HostContext {
  theme?: "light" | "dark";
  /** BCP 47. */
  locale?: string;
}

/** The answer of a tool. */
export interface ToolResult {
  isError?: boolean;
  structuredContent?: unknown;
  content?: { type: string; text?: string }[];
}

interface Message {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message?: string };
}

interface InitializeResult {
  hostContext?: HostContext;
  hostCapabilities?: { openLinks?: object };
}

type Listener = (params: unknown) => void;

const PROTOCOL_VERSION = "2026-01-26";
/** A decision waits for the run: a call answers within 20 s. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * The client around a view, over JSON-RPC in messages between windows. A view has no other way out: each of its requests is one that the
 * client sees, and may refuse.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export class Host {
  readonly #frame: Window;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  readonly #listeners = new Map<string, Listener>();
  #lastId = 0;
  #opensLinks = false;

  /** @param frame the window that the client shows the view in */
  constructor(frame: Window) {
    this.#frame = frame;
    window.addEventListener("message", ({ source, data }) => {
      if (source === frame && isMessage(data)) this.#receive(data);
    });
  }

  /** Listeners must be there before: what the tool answered comes right after. */
  async connect(): Promise<HostContext> {
    const { hostContext = {}, hostCapabilities = {} } = (await this.#request("ui/initialize", {
      protocolVersion: PROTOCOL_VERSION,
      appInfo: { name: "oven", version: "1.0.0" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    })) as InitializeResult; // cast: the protocol's answer
    this.#opensLinks = hostCapabilities.openLinks !== undefined;
    return hostContext;
  }

  /** Says that the view is ready for what the tool answered. */
  begin(): void {
    this.#notify("ui/notifications/initialized", {});
  }

  /** One listener for each method. */
  on(method: string, listener: Listener): void {
    this.#listeners.set(method, listener);
  }

  /** Calls a tool of the server that the view comes from. @throws Error when the client refuses or does not answer */
  async callTool(name: string, args: object): Promise<ToolResult> {
    return (await this.#request("tools/call", { name, arguments: args })) as ToolResult; // cast: the protocol's answer
  }

  get opensLinks(): boolean {
    return this.#opensLinks;
  }

  /** Asks the client to open an address outside; it may ask its user first, and where it refuses, its user knows. */
  async openLink(url: string): Promise<void> {
    try {
      await this.#request("ui/open-link", { url });
    } catch (error) {
      console.warn(`the client did not open ${url}: ${String(error)}`);
    }
  }

  sizeChanged(width: number, height: number): void {
    this.#notify("ui/notifications/size-changed", { width, height });
  }

  #receive({ id, method, params, result, error }: Message): void {
    if (method !== undefined) {
      this.#listeners.get(method)?.(params);
      if (id !== undefined) this.#answer(id, method);
      return;
    }
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (waiting === undefined || typeof id !== "number") return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(error.message ?? t("The client refused")));
  }

  /** Nothing of a view is lost when it is closed. */
  #answer(id: number | string, method: string): void {
    if (method === "ping" || method === "ui/resource-teardown") this.#send({ jsonrpc: "2.0", id, result: {} });
    else this.#send({ jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } });
  }

  #request(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(t("The client did not answer")));
      }, ANSWER_WITHIN_MS);
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer);
          settle(value);
        };
      this.#waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
      this.#send({ jsonrpc: "2.0", id, method, params });
    });
  }

  #notify(method: string, params: object): void {
    this.#send({ jsonrpc: "2.0", method, params });
  }

  /** To any origin: the view does not know that of its client, and says nothing that its client may not know. */
  #send(message: object): void {
    this.#frame.postMessage(message, "*");
  }
}

function isMessage(data: unknown): data is Message {
  return typeof data === "object" && data !== null && "jsonrpc" in data && data.jsonrpc === "2.0";
}
