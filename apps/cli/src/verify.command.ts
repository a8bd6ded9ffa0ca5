import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parseJson } from "@oven/contract";
import { type KeySet, KeySetSchema, type Verification, verifyReceipt } from "@oven/receipts";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = { log: { type: "string" }, keys: { type: "string" } } as const;
const WELL_KNOWN = "/.well-known/oven-receipts.json";

/** Verifies the receipt of a run: a file against a file, without a server. */
export const verifyCommand: OvenCommand = {
  name: "verify",
  usage:
    "verify <receipt> [--log <file>] [--keys <file>|https://…]   (exit code 0: all that was checked holds, 1: something does not, 2: it could not be checked)",
  async run(args, write) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [file, ...others] = positionals;
    if (file === undefined || others.length > 0) throw new Error(`usage: oven ${verifyCommand.usage}`);
    const result = verifyReceipt({
      file: await readFile(file),
      log: values.log === undefined ? undefined : await readFile(values.log),
      keys: values.keys === undefined ? undefined : await readKeys(values.keys),
    });
    write(toText(result));
    return result.ok ? 0 : 1;
  },
};

/** @param from a file, or the address of an installation or of its document */
async function readKeys(from: string): Promise<KeySet> {
  const text = /^https?:\/\//.test(from) ? await fetchKeys(new URL(from)) : await readFile(from, "utf8");
  const { success, data } = KeySetSchema.safeParse(parseJson(text));
  if (!success) throw new Error(`${from} is not a set of keys that sign receipts`);
  return data;
}

async function fetchKeys(url: URL): Promise<string> {
  if (url.pathname === "/") url.pathname = WELL_KNOWN;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}`);
  return response.text();
}

function toText({ ok, receipt, checks, notes }: Verification): string {
  const lines: string[] = [];
  if (receipt !== undefined) {
    const { run, workflow, issuer, issuedAt, decisions } = receipt;
    lines.push(
      `Receipt of run ${run.id} (${run.kind} ${workflow.slug}, version ${workflow.version}): ${run.status}`,
      `issued ${issuedAt} by ${issuer}, with ${decisions.count} decisions`,
      "",
    );
  }
  for (const check of checks) lines.push(`${check.ok ? "✓" : "✗"} ${check.says}`);
  for (const note of notes) lines.push(`- ${note}`);
  lines.push("", ok ? "VALID: all that was checked holds." : "NOT VALID.");
  return `${lines.join("\n")}\n`;
}
