import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { NONCE_PLACEHOLDER } from "./page-policy.ts";
import { createPages } from "./pages.ts";

const SCRIPT = "export const answer = 42;";
const FONT = Buffer.from([0x77, 0x4f, 0x46, 0x32, 0, 1]);

function builtPages(): string {
  const folder = mkdtempSync(join(tmpdir(), "oven-pages-"));
  mkdirSync(join(folder, "assets"));
  for (const page of ["index", "form"])
    writeFileSync(
      join(folder, `${page}.html`),
      `<title>${page}</title><script nonce="${NONCE_PLACEHOLDER}"></script><link nonce="${NONCE_PLACEHOLDER}">`,
    );
  writeFileSync(join(folder, "assets/app-1a2b3c.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "assets/inter-9f.woff2"), FONT);
  writeFileSync(join(folder, "icon.svg"), "<svg/>");
  return folder;
}

describe("the pages", () => {
  const pages = createPages(builtPages());
  const get = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
    pages.fetch(new Request(`http://localhost:3000${path}`, { method, headers }));

  it.each(["/", "/login", "/agent-workflows/7/editor", "/reviews?filter=%7B%7D", "/assetsx"])(
    "answer the app for %s, which may not be stored",
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("<title>index</title>");
      expect(response.headers.get("cache-control")).toBe("no-store");
    },
  );

  it("answer the form by its address", async () => {
    expect(await (await get("/forms/a-token")).text()).toContain("<title>form</title>");
    expect(await (await get("/forms")).text()).toContain("<title>index</title>");
  });

  it("have a nonce of their own each time, in the policy and wherever the page has one", async () => {
    const nonces = new Set<string>();
    for (const path of ["/", "/", "/forms/x", "/forms/x"]) {
      const response = await get(path);
      const [, nonce = ""] = /script-src 'nonce-([^']{20,})' 'strict-dynamic'/.exec(
        response.headers.get("content-security-policy") ?? "",
      ) ?? [""];
      const text = await response.text();
      expect(text.split(`nonce="${nonce}"`)).toHaveLength(3);
      expect(text).not.toContain(NONCE_PLACEHOLDER);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(4);
  });

  it.each([
    [undefined, null],
    ["identity", null],
    ["br;q=0, gzip;q=0.000", null],
    ["gzip, deflate", "gzip"],
    ["gzip;q=1.0, br;q=0", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["BR;q=0.5", "br"],
  ])("send a built file as the browser takes it, and for good: %s", async (accepted, encoding) => {
    const ask = () => get("/assets/app-1a2b3c.js", accepted === undefined ? {} : { "accept-encoding": accepted });
    for (const response of [await ask(), await ask()]) {
      const body = Buffer.from(await response.arrayBuffer());
      expect(response.status).toBe(200);
      expect(response.headers.get("content-encoding")).toBe(encoding);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "content-length": String(body.length),
        "cache-control": "public, max-age=31536000, immutable",
        vary: "Accept-Encoding",
        "x-content-type-options": "nosniff",
      });
      const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ""] ?? ((bytes: Buffer) => bytes);
      expect(unpack(body).toString()).toBe(SCRIPT);
    }
  });

  it("answer HEAD for a built file with its length and no body", async () => {
    const response = await get("/assets/app-1a2b3c.js", { "accept-encoding": "br" }, "HEAD");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("content-length")).toBe(String(brotliCompressSync(SCRIPT).length));
  });

  it("send a file that is not compressed as it is, and parts of it", async () => {
    const whole = await get("/assets/inter-9f.woff2", { "accept-encoding": "gzip, br" });
    expect(whole.headers.get("content-encoding")).toBeNull();
    expect(whole.headers.get("content-type")).toBe("font/woff2");
    expect(Buffer.from(await whole.arrayBuffer()).equals(FONT)).toBe(true);
    const part = await get("/assets/inter-9f.woff2", { range: "bytes=1-2" });
    expect(part.status).toBe(206);
    expect(await part.text()).toBe("OF");
  });

  it.each([
    "/assets/app-0.js",
    "/assets/app-1a2b3c.js/",
    "/assets/",
    "/assets/..%2findex.html",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/assets/a%00b",
  ])("do not answer the app for a file that is not there: %s", async (path) => {
    const response = await get(path);
    // Browsers resolve dots themselves, so that the last ones ask for a page.
    if (new URL(`http://localhost:3000${path}`).pathname.startsWith("/assets/")) {
      expect(response.status).toBe(404);
      expect(response.headers.get("cache-control")).toBeNull();
    }
    expect(await response.text()).not.toContain("@oven/dashboard");
  });

  it("answer HEAD without a body, and refuse to be written to", async () => {
    const head = await get("/reviews", {}, "HEAD");
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await get("/login", { "next-action": "x" }, "POST");
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("say that they are not built", () => {
    expect(() => createPages(mkdtempSync(join(tmpdir(), "oven-pages-")))).toThrow(
      expect.objectContaining({ code: "PAGES_NOT_BUILT", fix: expect.stringContaining("pnpm start") }),
    );
  });
});
