import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parseJson } from "@oven/contract";
import { decodeText } from "@oven/contract/text";
import { PlanPromotionSchema, PromotionPlanSchema, PromotionReportSchema } from "@oven/contract/workflow";
import { apiOf } from "./installation-api.ts";
import type { OvenCommand } from "./oven-command.ts";
import { planText } from "./promotion-text.ts";

const OPTIONS = {
  url: { type: "string" },
  key: { type: "string" },
  map: { type: "string", multiple: true, default: [] as string[] },
  draft: { type: "boolean", default: false },
  apply: { type: "boolean", default: false },
  "allow-missing": { type: "boolean", default: false },
} as const;
const MAPPING = /^([a-z-]+):([^=]+)=(.+)$/;

/** What importing a file would change, and with `--apply` the import itself. Ends with 1 when something it names is missing. */
export const promoteCommand: OvenCommand = {
  name: "promote",
  usage:
    "promote <file> --url http://… [--key …] [--map model:house=fast]… [--draft] [--apply] [--allow-missing]   (the key is better given as OVEN_API_KEY)",
  async run(args, write) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [path, ...others] = positionals;
    if (path === undefined || others.length > 0 || values.url === undefined)
      throw new Error(`usage: pnpm oven ${promoteCommand.usage}`);
    const given = PlanPromotionSchema.parse({
      file: parseJson(decodeText(await readFile(path), { what: path }).text, { what: path }),
      mapping: toMapping(values.map),
      publish: !values.draft,
    });
    const api = apiOf(values.url, values.key ?? process.env.OVEN_API_KEY ?? "");
    const plan = PromotionPlanSchema.parse(await api.call("POST", "promotions/plan", given));
    write(planText(plan));
    const isHeld = plan.missing > 0 && !values["allow-missing"];
    if (!values.apply || isHeld) return isHeld ? 1 : 0;
    const body = { ...given, digest: plan.digest, allowMissing: values["allow-missing"] };
    const { root } = PromotionReportSchema.parse(await api.call("POST", "promotions/apply", body));
    write(`\nImported: ${root.kind} ${root.slug} (${root.id})\n`);
    return 0;
  },
};

/** @throws Error */
function toMapping(given: readonly string[]): Record<string, Record<string, string>> {
  const mapping: Record<string, Record<string, string>> = {};
  for (const entry of given) {
    const [, kind, from, to] = MAPPING.exec(entry) ?? [];
    if (kind === undefined || from === undefined || to === undefined)
      throw new Error(`--map ${entry}: write kind:name=name here, such as model:house=fast`);
    mapping[kind] = { ...mapping[kind], [from]: to };
  }
  return mapping;
}
