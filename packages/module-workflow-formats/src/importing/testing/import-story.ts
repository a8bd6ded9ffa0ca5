import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "@oven/contract";
import type { ImportReport } from "@oven/contract/workflow";
import type { ModelReply } from "@oven/testing";
import { expect } from "vitest";
import { type AskedModel, json, toAsked } from "../../shared/testing/scripted-model.ts";
import { type FormatsOven, startFormats } from "../../shared/testing/start-formats.ts";

interface Asked {
  method: string;
  url: string;
  headers: Record<string, unknown>;
  body: string;
}

/** A server at the other end of requests: it answers with what it was asked, and the next of the statuses and replies. */
export interface Shop {
  origin: string;
  asked: Asked[];
  statuses: number[];
  /** What it answers instead, in order. */
  replies: { type: string; body: string }[];
}

/** A server that workflows of other products are imported into, and a shop that they may ask. */
export interface ImportStory {
  oven: FormatsOven;
  shop: Shop;
  /** Answers of the model, in order; then it says `{"ok": true}`. */
  answers: ModelReply[];
  /** What the model was asked. */
  asked(): AskedModel[];
  /** As an admin. */
  call(method: string, path: string, body?: unknown): ReturnType<FormatsOven["call"]>;
  /** Imports a document that needs nothing more, and runs it to its end. */
  run(document: Json, input: JsonObject): Promise<Awaited<ReturnType<FormatsOven["call"]>>["body"]>;
  /** What becomes of a document; nothing is stored. */
  preview(document: Json): Promise<Previewed>;
  stop(): Promise<void>;
}

interface Previewed {
  /** Of each element, by its name. */
  outcomes: Record<string, string>;
  report: ImportReport;
  /** Messages of what keeps it from being published. */
  problems: string[];
}

export async function startImports(): Promise<ImportStory> {
  const shop: Shop = { origin: "", asked: [], statuses: [], replies: [] };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    shop.asked.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const own = JSON.stringify({ id: 7, total: 120, lines: [{ sku: "a" }, { sku: "b" }], asked: url });
    const { type, body } = shop.replies.shift() ?? { type: "application/json", body: own };
    response.writeHead(shop.statuses.shift() ?? 200, { "content-type": type });
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  shop.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on TCP
  const answers: ModelReply[] = [];
  const oven = await startFormats(() => answers.shift() ?? json({ ok: true }), { outboundAllow: [shop.origin] });
  const key = await oven.keyFor("admin");
  const call: ImportStory["call"] = (method, path, body) => oven.call(method, path, body, { key });
  return {
    ...{ oven, shop, answers, call },
    asked: () => oven.server.requests.map(({ body }) => toAsked(body)),
    run: async (document, input) => {
      const made = await call("POST", "workflow-imports", { source: JSON.stringify(document) });
      expect([made.status, made.body.draft, made.body.problems]).toEqual([201, false, []]);
      const { body } = await call("POST", `agent-workflows/${made.body.workflow.id}/execute?wait=30`, { input });
      return { report: made.body.report, ...body };
    },
    preview: async (document) => {
      const { status, body } = await call("POST", "workflow-imports/preview", { source: JSON.stringify(document) });
      expect([status, body.error?.message]).toEqual([200, undefined]);
      const { report, problems } = body as { report: ImportReport; problems: { message: string }[] }; // cast: as the route declares it
      const outcomes = Object.fromEntries(report.elements.map(({ name, outcome }) => [name, outcome]));
      return { outcomes, report, problems: problems.map(({ message }) => message) };
    },
    stop: async () => {
      await oven.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Nothing but the placeholders keeps it from being published, and each names its step. */
export async function expectOnlyPlaceholdersOpen({ call }: ImportStory, source: string): Promise<void> {
  const { status, body } = await call("POST", "workflow-imports/preview", { source });
  expect(status).toBe(200);
  const open = body.report.elements.filter(({ outcome }: { outcome: string }) => outcome === "placeholder");
  expect(open.length).toBeGreaterThan(0);
  expect(body.problems.map(({ message }: { message: string }) => message.split("“")[1]?.split("”")[0]).sort()).toEqual(
    open.map(({ name }: { name: string }) => name).sort(),
  );
}
