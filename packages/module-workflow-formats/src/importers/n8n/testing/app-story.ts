import type { Json, JsonObject } from "@oven/contract";
import type { ImportReport } from "@oven/contract/workflow";
import { isObject } from "@oven/engine";
import { expect } from "vitest";
import { type ImportStory, startImports } from "../../../importing/testing/import-story.ts";

interface AskedApi {
  method: string;
  url: string;
  authorization?: string;
  body?: Json;
}

interface AppRun {
  status: string;
  output: Json;
  error: string | null;
  report: ImportReport;
}

/** A server that answers as the APIs of apps do, and workflows that are imported, led to it and run. */
export interface AppStory {
  /** What the API answers next. */
  answer(...bodies: Json[]): void;
  /** The same with what is no JSON. */
  answerText(type: string, body: string): void;
  /** The statuses that the API answers with next. */
  fail(...statuses: number[]): void;
  /** What the APIs were asked, with the addresses that were meant. */
  asked(): AskedApi[];
  /** The headers of what was asked. */
  headers(): Readonly<Record<string, unknown>>[];
  /**
   * Imports a document without placeholders, and runs it with its addresses led here and its secrets filled in.
   * @param context variables that are filled in
   */
  run(document: Json, input: JsonObject, context?: JsonObject, slug?: string): Promise<AppRun>;
  preview: ImportStory["preview"];
  reset(): void;
  stop(): Promise<void>;
}

export async function startApps(): Promise<AppStory> {
  const story = await startImports();
  const { shop } = story;
  return {
    answer: (...bodies) => {
      for (const body of bodies) shop.replies.push({ type: "application/json", body: JSON.stringify(body) });
    },
    answerText: (type, body) => {
      shop.replies.push({ type, body });
    },
    fail: (...statuses) => {
      shop.statuses.push(...statuses);
    },
    asked: () =>
      shop.asked.map(({ method, url, headers, body }) => ({
        ...{ method, url: url.replace(/^\/([^/]+)/, "https://$1") },
        ...(typeof headers.authorization === "string" ? { authorization: headers.authorization } : {}),
        ...(body === "" ? {} : { body: readBody(body, String(headers["content-type"])) }),
      })),
    headers: () => shop.asked.map(({ headers }) => headers),
    run: async (document, input, context, slug) => {
      const source = JSON.stringify(document);
      const { body: read } = await story.call("POST", "workflow-imports/preview", { source });
      const open = read.report.elements.filter(({ outcome }: { outcome: string }) => outcome === "placeholder");
      expect(open).toEqual([]);
      expect(read.problems).toEqual([]);
      const led = ledTo(shop.origin, read.definition);
      const definition =
        context === undefined || !isObject(led) ? led : { ...led, context: ledTo(shop.origin, context) };
      const name = `Apps ${crypto.randomUUID()}`;
      const made = await story.call("POST", "agent-workflows", {
        name,
        slug: slug ?? name.toLowerCase().replace(" ", "-"),
        definition,
      });
      expect([made.status, made.body.error]).toEqual([201, undefined]);
      const { body } = await story.call("POST", `agent-workflows/${made.body.id}/execute?wait=30`, { input });
      return { report: read.report, ...body };
    },
    preview: story.preview,
    reset: () => {
      shop.asked = [];
      shop.replies = [];
      shop.statuses = [];
    },
    stop: story.stop,
  };
}

/** JSON, or the fields of a form. */
function readBody(body: string, type: string): Json {
  if (type.startsWith("multipart/")) {
    const parts = [...body.matchAll(/name="([^"]*)"\r\n(?:[^\r]+\r\n)*\r\n([\s\S]*?)\r\n--/g)];
    return Object.fromEntries(parts.map(([, name = "", value = ""]) => [name, value]));
  }
  return type.includes("urlencoded") ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
}

/** The same definition with the addresses of APIs led to one server, and with texts in place of secrets. */
function ledTo(origin: string, value: Json): Json {
  if (Array.isArray(value)) return value.map((one) => ledTo(origin, one));
  if (typeof value === "string") return value.replace(/^https:\/\//, `${origin}/`);
  if (!isObject(value)) return value;
  if (typeof value.$secret === "string") return `${String(value.prefix ?? "")}secret of ${value.$secret}`;
  const led = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, ledTo(origin, child)]));
  const { urlSecrets, ...rest } = led;
  if (!isObject(urlSecrets) || typeof rest.url !== "string") return led;
  const fill = (url: string, [name, text]: [string, Json]) =>
    url.replace(`{${name}}`, encodeURIComponent(String(text)));
  return { ...rest, url: Object.entries(urlSecrets).reduce(fill, rest.url) };
}
