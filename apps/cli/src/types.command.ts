import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createOvenClient, type OvenClient } from "@oven/client";
import { type TypedWorkflow, toWorkflowTypes } from "@oven/client/types";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = {
  url: { type: "string" },
  key: { type: "string" },
  out: { type: "string" },
  check: { type: "boolean", default: false },
} as const;
const PAGE = 100;

/** TypeScript types of what the workflows of an installation take and give. With `--check` it ends with 1 when a file has others. */
export const typesCommand: OvenCommand = {
  name: "types",
  usage: "types --url http://… [--key …] [--out FILE] [--check]   (the key is better given as OVEN_API_KEY)",
  async run(args, write) {
    const { values } = parseArgs({ args, options: OPTIONS });
    const { url, out, check } = values;
    if (url === undefined || (check && out === undefined)) throw new Error(`usage: pnpm oven ${typesCommand.usage}`);
    const { call } = createOvenClient({ url, key: values.key ?? process.env.OVEN_API_KEY ?? "" });
    const text = toWorkflowTypes(await readAll(call, "GET /agent-workflows"), await readAll(call, "GET /workflows"));
    if (out === undefined) {
      write(text);
      return 0;
    }
    if (!check) {
      await writeFile(out, text);
      return 0;
    }
    const held = await readFile(out, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (held === text) return 0;
    write(`${out} ${held === undefined ? "is missing" : "has other types"}: run oven types without --check\n`);
    return 1;
  },
};

async function readAll(
  call: OvenClient["call"],
  list: "GET /agent-workflows" | "GET /workflows",
): Promise<TypedWorkflow[]> {
  const all: TypedWorkflow[] = [];
  for (;;) {
    const page = await call(list, {
      query: { sort: '["id","ASC"]', range: `[${all.length},${all.length + PAGE - 1}]` },
    });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
