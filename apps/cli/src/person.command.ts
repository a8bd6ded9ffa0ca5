import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { type PersonChoice, type PersonReport, PersonReportSchema } from "@oven/contract/access";
import { apiOf } from "./installation-api.ts";
import type { OvenCommand } from "./oven-command.ts";

const OPTIONS = {
  url: { type: "string" },
  key: { type: "string" },
  email: { type: "string" },
  user: { type: "string" },
  out: { type: "string" },
  confirm: { type: "string" },
} as const;
/** Only the owner of the new file may read it. */
const PRIVATE = 0o600;

/** Finds, exports and erases one person's data at a server, with an owner's key. */
export const personCommand: OvenCommand = {
  name: "person",
  usage:
    "person find|export|erase --email …|--user <id> --url http://… [--key …] [--out file.json] [--confirm <e-mail>]   (the key is better given as OVEN_API_KEY)",
  async run(args, write) {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    const [act, ...others] = positionals;
    const choice = toChoice(values);
    if (act === undefined || others.length > 0 || values.url === undefined || choice === undefined)
      throw new Error(`usage: pnpm oven ${personCommand.usage}`);
    const key = values.key ?? process.env.OVEN_API_KEY ?? "";
    const api = apiOf(values.url, key);
    switch (act) {
      case "find":
        write(toText(PersonReportSchema.parse(await api.call("POST", "persons/find", choice)), "would"));
        return 0;
      case "export":
        await exportTo(values.url, key, choice, values.out, write);
        return 0;
      case "erase": {
        if (values.confirm === undefined)
          throw new Error(
            "erasing cannot be undone: export first, then give --confirm with the person's e-mail address",
          );
        const erase = { ...choice, confirm: values.confirm };
        const report = PersonReportSchema.parse(await api.call("POST", "persons/erase", erase));
        write(toText(report, "did"));
        return report.holdings.some(({ left }) => left.length > 0) ? 1 : 0;
      }
      default:
        throw new Error(`usage: pnpm oven ${personCommand.usage}`);
    }
  },
};

/** The export as it comes: it may be larger than the memory. */
async function exportTo(
  url: string,
  key: string,
  choice: PersonChoice,
  out: string | undefined,
  write: (text: string) => void,
): Promise<void> {
  const response = await fetch(`${url.replace(/\/+$/, "")}/api/persons/export`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(choice),
  });
  if (!response.ok || response.body === null)
    throw new Error(`the server answered ${response.status}: ${await response.text()}`);
  if (out === undefined) {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) write(chunk);
    write("\n");
    return;
  }
  await pipeline(Readable.fromWeb(response.body), createWriteStream(out, { flags: "wx", mode: PRIVATE }));
  write(`Written to ${out}\n`);
}

function toChoice({
  email,
  user,
}: {
  email?: string | undefined;
  user?: string | undefined;
}): PersonChoice | undefined {
  if ((email === undefined) === (user === undefined)) return undefined;
  return email === undefined ? { userId: Number(user) } : { email };
}

function toText({ userId, email, holdings }: PersonReport, mood: "would" | "did"): string {
  const who = `${email ?? ""}${userId === null ? " (no account)" : ` (account ${userId})`}`;
  if (holdings.length === 0) return `Nothing is held of ${who}.\n`;
  const words = {
    delete: ["would be deleted", "deleted"],
    remove: ["would be deleted with what belongs to them", "deleted"],
    clear: ["what names the person would be taken out", "what named the person is taken out"],
    retain: ["would stay", "stayed"],
  } as const;
  const lines = holdings.map(({ title, table, rows, erasure, why, left }) => {
    const word = words[erasure][mood === "would" ? 0 : 1];
    return `${String(rows).padStart(6)}  ${title} (${table}): ${word}${why === null ? "" : `. ${why}`}${toLeft(left)}`;
  });
  return `${who}\n${lines.join("\n")}\n`;
}

function toLeft(runs: readonly number[]): string {
  if (runs.length === 0) return "";
  return `. Left: ${runs.join(", ")}, which have not ended, or others go on from them. Cancel them, and erase again`;
}
