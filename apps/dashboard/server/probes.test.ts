import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Readiness } from "@oven/contract/system";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createHttpServer, type HttpServer } from "./http-server.ts";

let http: HttpServer;
let url: string;
let answer: () => Promise<Readiness>;
beforeAll(async () => {
  http = createHttpServer(
    async () => new Response("of the API"),
    () => (_request, response) => void response.writeHead(200).end("a page"),
    [],
    undefined,
    () => answer(),
  );
  http.server.listen(0, "127.0.0.1");
  await once(http.server, "listening");
  url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`; // cast: it listens on TCP
});
afterAll(() => http.close());

const ask = async (path: string, method = "GET") => {
  const response = await fetch(`${url}${path}`, { method });
  return [response.status, await response.text()];
};

it("a process that lives says so at /health, whatever it can serve", async () => {
  answer = async () => ({ ready: false, database: false, migrations: false, draining: false });
  expect(await ask("/health")).toEqual([200, '{"live":true}']);
  expect(await ask("/health?from=probe")).toEqual([200, '{"live":true}']);
});

it("/ready is 503 while it cannot serve, with what is missing", async () => {
  answer = async () => ({ ready: true, database: true, migrations: true, draining: false });
  expect(await ask("/ready")).toEqual([200, '{"ready":true,"database":true,"migrations":true,"draining":false}']);
  answer = async () => ({ ready: false, database: true, migrations: true, draining: true });
  expect(await ask("/ready")).toEqual([503, '{"ready":false,"database":true,"migrations":true,"draining":true}']);
  const console = vi.spyOn(globalThis.console, "error").mockImplementation(() => undefined);
  answer = () => Promise.reject(new Error("cannot be found out"));
  expect(await ask("/ready")).toEqual([500, '{"ready":false}']);
  expect(console).toHaveBeenCalledOnce();
  console.mockRestore();
});

it("takes GET and HEAD only, and leaves other paths to the pages and the API", async () => {
  answer = async () => ({ ready: true, database: true, migrations: true, draining: false });
  expect(await ask("/ready", "HEAD")).toEqual([200, ""]);
  expect(await ask("/ready", "POST")).toEqual([405, ""]);
  expect(await ask("/ready/more")).toEqual([200, "a page"]);
  expect(await ask("/api/ready")).toEqual([200, "of the API"]);
});
