import type { Json, JsonObject } from "@oven/contract";
import { insideText, joinTexts, toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { beforeKey, type DifyContext, type Mapped, toStep } from "./dify-context.ts";
import type { DifyNode } from "./dify-document.ts";

/** What a tool of Dify is set to, by the names of its parameters. */
type Settings = ReadonlyMap<string, Json>;

const answerOf = (node: DifyNode, context: DifyContext): JsonObject => {
  const root = `$.${context.stateOf(beforeKey(node.id))}_output`;
  return { status: `${root}.status`, body: `${root}.body` };
};
const FAILURES = "Where the service refuses, the text says so and the run goes on, as in Dify.";

/** A setting that may not be filled in when the step runs. @throws NoEquivalent */
function fixed(name: string, value: Json): Json {
  if (typeof value === "string" && /^\$|\{\{/.test(value)) throw new NoEquivalent(`its setting ${name} is computed`);
  return value;
}

/** Google's translation without a key, as the plugin asks for it. */
export function mapGoogleTranslate(node: DifyNode, context: DifyContext, settings: Settings): Mapped {
  const content = settings.get("content");
  if (content === undefined) throw new NoEquivalent("it has no text to translate");
  const dest = fixed("dest", settings.get("dest") ?? "");
  const language = dest === "custom" ? fixed("custom_dest", settings.get("custom_dest") ?? "") : dest;
  if (typeof language !== "string" || language === "") throw new NoEquivalent("it names no language");
  const text = joinTexts([insideText(content)]);
  const agent =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/91.0.4472.124 Safari/537.36";
  const input = {
    ...{ method: "GET", url: "https://translate.googleapis.com/translate_a/single", anyStatus: true },
    ...{ query: { client: "gtx", sl: "auto", tl: language, dt: "t", q: text }, headers: { "User-Agent": agent } },
  };
  return {
    ...toStep(node, context, "core.code", { code: TRANSLATED, inputs: { ...answerOf(node, context), content: text } }),
    before: { what: "request", mayFail: true, invoke: { src: "core.http", input } },
    notes: [FAILURES],
  };
}

const TRANSLATED = `if (content === "") return { text: "Invalid parameter content" };
if (status >= 400) return { text: "Network error: " + status + (status < 500 ? " Client Error" : " Server Error") };
if (typeof body === "string") return { text: "Network error: the answer is no JSON" };
const parts = Array.isArray(body) ? body[0] : undefined;
if (!Array.isArray(parts) || !parts.every(Array.isArray))
  return { text: "Error parsing translation response: it has no parts" };
return { text: parts.map(([part]) => part || "").join("") };
`;

/** Settings of a search that are sent as they are. */
const PLAIN = new Set([
  ...["search_depth", "topic", "time_range", "start_date", "end_date", "country", "max_results"],
  "chunks_per_source",
]);
const DOMAINS = new Set(["include_domains", "exclude_domains"]);

/** A search by Tavily's API, and its results as the text that the plugin makes of them. */
export function mapTavily(node: DifyNode, context: DifyContext, settings: Settings): Mapped {
  const body: JsonObject = { search_depth: "basic", topic: "general", max_results: 5 };
  for (const [name, given] of settings) {
    if (name === "query") continue;
    const value = fixed(name, given);
    if (value === "not_specified" || value === "None") continue;
    const isOff = typeof value === "string" && value.toLowerCase() === "false";
    if (PLAIN.has(name)) body[name] = toLiteral(/^(max_results|chunks_per_source)$/.test(name) ? Number(value) : value);
    else if (DOMAINS.has(name))
      body[name] = String(value)
        .split(/[\s,]+/)
        .filter((domain) => domain !== "");
    else if (name === "include_answer" || name === "include_raw_content") {
      if (!isOff) body[name] = kindOf(name, value);
    } else if (!isOff) throw new NoEquivalent(`its setting ${name} is not known`);
  }
  const query = settings.get("query");
  if (query === undefined) throw new NoEquivalent("it has no query");
  if (body.search_depth !== "advanced" && body.search_depth !== "fast") delete body.chunks_per_source;
  else body.chunks_per_source ??= 3;
  const text = joinTexts([insideText(query)]);
  const advice = "Make a secret of this name with a key of Tavily, for api.tavily.com.";
  context.reporter.setting("credential", "tavily", advice, node.path);
  const input = {
    ...{ method: "POST", url: "https://api.tavily.com/search", body: { ...body, query: text } },
    ...{ headers: { Authorization: { $secret: "tavily", prefix: "Bearer " } }, timeoutMs: 60_000, anyStatus: true },
  };
  const inputs = {
    ...{ ...answerOf(node, context), query: text, isNews: body.topic === "news" },
    ...{ hasAnswer: body.include_answer !== undefined, hasRaw: body.include_raw_content !== undefined },
  };
  return {
    ...toStep(node, context, "core.code", { code: SEARCHED, inputs }),
    before: { what: "request", mayFail: true, invoke: { src: "core.http", input } },
    notes: [FAILURES],
  };
}

function kindOf(name: string, value: Json): Json {
  const [usual, other] = name === "include_answer" ? ["basic", "advanced"] : ["markdown", "text"];
  if (value === other) return other;
  if (typeof value !== "string" || value === usual || value.toLowerCase() === "true") return usual ?? null;
  throw new NoEquivalent(`its setting ${name} is ${value}`);
}

const SEARCHED = `const none = [{ data: [] }];
if (status >= 400) {
  const detail = body !== null && typeof body === "object" && body.detail ? body.detail.error : undefined;
  return { text: "Error occurred while searching: " + (detail || status), json: none };
}
const results = body !== null && typeof body === "object" && Array.isArray(body.results) ? body.results : [];
if (results.length === 0) return { text: "No results found for '" + query + "' in Tavily.", json: none };
const lines = [];
if (hasAnswer && body.answer) lines.push("**Answer:** " + body.answer + "\\n");
results.forEach((result, at) => {
  const { title = "No Title", url = "", content = "", published_date: published, score, raw_content: raw } = result;
  lines.push("# Result " + (at + 1) + ": [" + title + "](" + url + ")\\n");
  if (isNews && published) lines.push("**Published Date:** " + published + "\\n");
  lines.push("**URL:** " + url + "\\n");
  if (score) lines.push("**Relevance Score:** " + score + "\\n");
  if (content) lines.push("**Content:**\\n" + content + "\\n");
  if (hasRaw && raw) lines.push("**Raw Content:**\\n" + raw + "\\n");
  lines.push("---\\n");
});
return { text: lines.join("\\n"), json: [body] };
`;
