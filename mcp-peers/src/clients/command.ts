import { execFile } from "node:child_process";
import { join } from "node:path";
import { type ToolAnswer, toJson, toToolAnswer } from "../peer-client.ts";

interface Ended {
  ok: boolean;
  stdout: string;
  /** Both streams. */
  written: string;
}

/** One start of a command line of `node_modules/.bin`. */
export function runCommand(name: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const command = join(import.meta.dirname, "../../node_modules/.bin", name);
  const options = { env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env }, timeout: 120_000 };
  return new Promise((done) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      done({ ok: error === null, stdout, written: `${stdout}\n${stderr}` });
    });
    child.stdin?.end();
  });
}

/** What a command line prints of a tool's answer: JSON, as the protocol has it, or what is structured of it alone. */
export function toCommandAnswer({ ok, stdout, written }: Ended): ToolAnswer {
  const printed = toJson(stdout);
  if (typeof printed !== "object" || printed === null) return { isError: !ok, text: written, value: undefined };
  const answer = toToolAnswer("content" in printed ? printed : { structuredContent: printed });
  return { ...answer, isError: answer.isError || !ok, text: `${answer.text}\n${written}` };
}
