import type { OvenCommand } from "./oven-command.ts";

export type Commands = Readonly<Record<string, () => Promise<OvenCommand>>>;

export interface Output {
  write(text: string): void;
  complain(text: string): void;
}

const OWN_LINES = [
  "completion bash|zsh|fish   (a script for the shell: `source <(oven completion bash)`)",
  "help [command]",
  "version",
];

/**
 * Runs the command that the arguments name.
 * @param args without Node and the file
 * @returns the exit code: 0 done, 1 something is to do or a check failed, 2 it could not run
 */
export async function runOven(commands: Commands, args: readonly string[], output: Output): Promise<number> {
  const [name = "", ...rest] = args;
  if (["help", "--help", "-h"].includes(name)) return help(commands, rest[0], output);
  if (["version", "--version", "-v"].includes(name)) {
    // Loaded for this alone: a command such as `mcp` starts with every client.
    const { OVEN_VERSION } = await import("@oven/contract");
    output.write(`${OVEN_VERSION}\n`);
    return 0;
  }
  if (name === "completion") return completion(commands, rest[0], output);
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) {
    const about = name === "" ? "" : `There is no command ${name}.\n\n`;
    output.complain(`${about}${usageOf(await loadAll(commands))}`);
    return 2;
  }
  if (rest.includes("--help") || rest.includes("-h")) return help(commands, name, output);
  try {
    return await (await load()).run(rest, output.write);
  } catch (error) {
    output.complain(`oven ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function help(commands: Commands, name: string | undefined, output: Output): Promise<number> {
  const load = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  output.write(load === undefined ? usageOf(await loadAll(commands)) : `Usage: oven ${(await load()).usage}\n`);
  return 0;
}

async function completion(commands: Commands, shell: string | undefined, output: Output): Promise<number> {
  const { toCompletion } = await import("./completion.ts");
  const script = toCompletion(shell ?? "", await loadAll(commands));
  if (script === undefined) {
    output.complain("oven completion: name the shell: bash, zsh or fish\n");
    return 2;
  }
  output.write(script);
  return 0;
}

function loadAll(commands: Commands): Promise<OvenCommand[]> {
  return Promise.all(Object.values(commands).map((load) => load()));
}

function usageOf(commands: readonly OvenCommand[]): string {
  const lines = [...commands.map(({ usage }) => usage), ...OWN_LINES].toSorted();
  return `Usage: oven <command>\n\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
}
