import { parseArgs } from "node:util";
import { type KeySet, KeySetSchema, type PublicKey, PublicKeySchema } from "@oven/receipts";
import { apiOf } from "./installation-api.ts";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = {
  url: { type: "string" },
  key: { type: "string" },
  yes: { type: "boolean", default: false },
} as const;

/** The keys that sign receipts of runs at a server: shows them, and lets a new one sign. */
export const receiptsCommand: OvenCommand = {
  name: "receipts",
  usage:
    "receipts keys|rotate --url http://… [--key …] [--yes]   (rotate: --yes; the key is better given as OVEN_API_KEY)",
  async run(args, write) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [act, ...others] = positionals;
    if ((act !== "keys" && act !== "rotate") || others.length > 0 || values.url === undefined)
      throw new Error(`usage: oven ${receiptsCommand.usage}`);
    const api = apiOf(values.url, values.key ?? process.env.OVEN_API_KEY ?? "");
    if (act === "keys") {
      if (values.yes) throw new Error("--yes means nothing to receipts keys");
      write(toText(KeySetSchema.parse(await api.call("GET", ".well-known/oven-receipts.json"))));
      return 0;
    }
    if (!values.yes)
      throw new Error(
        "a new key signs from then on, and verifiers need the new set of keys: give --yes if that is what you want",
      );
    write(`${lineOf(PublicKeySchema.parse(await api.call("POST", "receipt-keys/rotate")))}\n`);
    return 0;
  },
};

function toText({ issuer, keys }: KeySet): string {
  return [issuer, ...keys.map(lineOf)].map((line) => `${line}\n`).join("");
}

function lineOf({ kid, from, until }: PublicKey): string {
  return until === null ? `${kid} signs since ${from}` : `${kid} signed from ${from} to ${until}`;
}
