import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { insideText, joinTexts } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { beforeKey, type DifyContext, type MapNode, type Mapped, toStep } from "./dify-context.ts";
import { type DifyNode, selectorOf } from "./dify-document.ts";
import { knownTool } from "./dify-known-tools.ts";
import { mapGoogleTranslate, mapTavily } from "./dify-services.ts";

const TOOLS: Readonly<Record<string, (node: DifyNode, context: DifyContext, settings: Map<string, Json>) => Mapped>> = {
  "time/current_time": mapCurrentTime,
  "jina/jina_reader": mapJinaReader,
  "google_translate/translate": mapGoogleTranslate,
  "tavily/tavily_search": mapTavily,
};

export const mapTool: MapNode = (node, context) => {
  const { data } = node;
  const known = knownTool(node);
  const map = known && TOOLS[known.name];
  if (map !== undefined) return map(node, context, settingsOf(node, context));
  throw new NoEquivalent(
    `it calls ${String(data.tool_label ?? data.tool_name ?? "a tool")} of the plugin ${String(data.provider_name ?? data.provider_id ?? "unknown")}`,
  );
};

/** What a tool is set to, by the names of its parameters; what is empty is left out. */
function settingsOf({ data }: DifyNode, context: DifyContext): Map<string, Json> {
  const settings = new Map<string, Json>();
  for (const given of [data.tool_configurations, data.tool_parameters])
    for (const [name, one] of Object.entries(isObject(given) ? given : {})) {
      const value = readSetting(one, context);
      if (value !== null && value !== "" && value !== 0 && value !== false) settings.set(name, value);
    }
  return settings;
}

function readSetting(given: Json, { data }: DifyContext): Json {
  if (!isObject(given)) return given;
  const { type, value = null } = given;
  const selector = type === "variable" ? selectorOf(value) : undefined;
  if (selector !== undefined) return data.path(selector);
  return type === "mixed" && typeof value === "string" ? data.template(value) : value;
}

/** Directives of strftime that are written here; %Z in UTC only. */
const DIRECTIVES = /%(?:[YmdHMSyIpjAaBb%]|Z)/g;

/** Date and time when the step runs, as `time.strftime` writes them. */
function mapCurrentTime(node: DifyNode, context: DifyContext, settings: Map<string, Json>): Mapped {
  const zone = settings.get("timezone") ?? "UTC";
  const format = settings.get("format") ?? "%Y-%m-%d %H:%M:%S %Z";
  if (typeof zone !== "string" || typeof format !== "string" || /^\$|\{\{/.test(zone + format))
    throw new NoEquivalent("its format or its time zone is computed");
  const others = format.replaceAll(DIRECTIVES, "");
  if (others.includes("%") || (zone !== "UTC" && format.includes("%Z")))
    throw new NoEquivalent(`it writes the time as ${format}`);
  const now = `timestamp(ctx.${context.stateOf(beforeKey(node.id))}_output.until)`;
  const part = (name: string): Json => ({ $cel: `${now}.${name}(${JSON.stringify(zone)})` });
  const inputs = {
    ...{ format, year: part("getFullYear"), month: part("getMonth"), day: part("getDate"), hour: part("getHours") },
    ...{ minute: part("getMinutes"), second: part("getSeconds"), weekday: part("getDayOfWeek") },
    dayOfYear: part("getDayOfYear"),
  };
  return {
    ...toStep(node, context, "core.code", { code: FORMAT_TIME, inputs }),
    before: { what: "clock", mayFail: true, invoke: { src: "core.delay", input: { ms: 0 } } },
  };
}

const FORMAT_TIME = `const pad = (value, length = 2) => String(value).padStart(length, "0");
const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];
const parts = {
  Y: String(year), m: pad(month + 1), d: pad(day), H: pad(hour), M: pad(minute), S: pad(second),
  y: pad(year % 100), I: pad(hour % 12 === 0 ? 12 : hour % 12), p: hour < 12 ? "AM" : "PM", j: pad(dayOfYear + 1, 3),
  A: days[weekday], a: days[weekday].slice(0, 3), B: months[month], b: months[month].slice(0, 3), Z: "UTC", "%": "%",
};
return { text: format.replace(/%(.)/g, (all, letter) => parts[letter]) };
`;

/** Headers that a setting adds, and what they are where a switch is on. */
const JINA_HEADERS: Record<string, readonly [header: string, value?: string]> = {
  target_selector: ["X-Target-Selector"],
  wait_for_selector: ["X-Wait-For-Selector"],
  remove_images: ["X-Retain-Images", "none"],
  image_caption: ["X-With-Generated-Alt", "true"],
  gather_all_links_at_the_end: ["X-With-Links-Summary", "true"],
  gather_all_images_at_the_end: ["X-With-Images-Summary", "true"],
  no_cache: ["X-No-Cache", "true"],
};

/** A page as text, by Jina's reader. */
function mapJinaReader(node: DifyNode, context: DifyContext, settings: Map<string, Json>): Mapped {
  const headers: JsonObject = { Accept: "application/json" };
  let url: Json = "";
  for (const [name, value] of settings) {
    const header = Object.hasOwn(JINA_HEADERS, name) ? JINA_HEADERS[name] : undefined;
    if (name === "url") url = value;
    else if (header !== undefined) headers[header[0]] = header[1] ?? insideText(value);
    // Its requests were tried again that often only in the first versions.
    else if (name !== "max_retries") throw new NoEquivalent(`its setting ${name} is not known`);
  }
  if (url === "") throw new NoEquivalent("it has no address of a page");
  const answer = `$.${context.stateOf(beforeKey(node.id))}_output.body`;
  const code = 'return { text: typeof body === "string" ? body : JSON.stringify(body) };';
  const input = {
    ...{ method: "GET", url: joinTexts([`https://r.jina.ai/${insideText(url)}`]), headers },
    ...{ timeoutMs: 60_000, anyStatus: true },
  };
  return {
    ...toStep(node, context, "core.code", { code, inputs: { body: answer } }),
    before: { what: "request", mayFail: true, invoke: { src: "core.http", input } },
    notes: ["It asks without a key. With one, add the header Authorization with a secret for r.jina.ai."],
  };
}
