import { parseArgs } from "node:util";
import { apiOf } from "./installation-api.ts";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = {
  url: { type: "string" },
  key: { type: "string" },
  base: { type: "string" },
  prune: { type: "boolean", default: false },
  publish: { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
  force: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;
type Option = keyof typeof OPTIONS;

const WAYS = ["pull", "push", "status"] as const;
const FOR_ALL: readonly Option[] = ["url", "key", "base"];
const TAKES: Record<(typeof WAYS)[number], readonly Option[]> = {
  pull: ["prune", "force"],
  push: ["publish", "dry-run", "force"],
  status: ["json"],
};

/** A folder of files and an installation in step: for version control. */
export const syncCommand: OvenCommand = {
  name: "sync",
  usage:
    "sync pull|push|status <folder> --url http://… [--key …] [--base folder] [--prune] [--publish] [--dry-run] [--force] [--json]   (pull: --prune --force; push: --publish --dry-run --force; status: --json; exit code 0: in step, 1: something differs or was refused, 2: it could not run; the key is better given as OVEN_API_KEY)",
  async run(args, write) {
    const { values, positionals, tokens } = parseArgs({ args, options: OPTIONS, allowPositionals: true, tokens: true });
    const [word, dir, ...others] = positionals;
    const way = WAYS.find((one) => one === word);
    if (way === undefined || dir === undefined || others.length > 0 || values.url === undefined)
      throw new Error(`usage: oven ${syncCommand.usage}`);
    for (const token of tokens)
      if (token.kind === "option" && ![...FOR_ALL, ...TAKES[way]].some((name) => name === token.name))
        throw new Error(`--${token.name} means nothing to sync ${way}`);
    const { readSides } = await import("./sync/read-sides.ts");
    const api = apiOf(values.url, values.key ?? process.env.OVEN_API_KEY ?? "");
    const sides = await readSides(api, { dir, url: values.url, baseDir: values.base, mustExist: way !== "pull" });
    const { prune, publish, force, json, "dry-run": dryRun } = values;
    switch (way) {
      case "pull":
        return (await import("./sync/pull.ts")).pull(sides, { prune, force }, write);
      case "push":
        return (await import("./sync/push.ts")).push(sides, { publish, dryRun, force }, write);
      case "status":
        return (await import("./sync/status.ts")).status(sides, json, write);
    }
  },
};
