import type { OvenCommand } from "./oven-command.ts";

/*
 * `pnpm oven <command>`: what is done with an installation from a shell, here (embedded) or at a server (`--url`).
 * Adding a command: its file beside this one and its line here. A command's file is loaded when the command is called.
 */
const commands: Record<string, () => Promise<OvenCommand>> = {
  backup: async () => (await import("./backup.command.ts")).backupCommand,
  doctor: async () => (await import("./doctor.command.ts")).doctorCommand,
  eval: async () => (await import("./eval.command.ts")).evalCommand,
  mcp: async () => (await import("./mcp.command.ts")).mcpCommand,
  move: async () => (await import("./move.command.ts")).moveCommand,
  promote: async () => (await import("./promote.command.ts")).promoteCommand,
  restore: async () => (await import("./restore.command.ts")).restoreCommand,
  "setup-link": async () => (await import("./setup-link.command.ts")).setupLinkCommand,
  trace: async () => (await import("./trace.command.ts")).traceCommand,
};

const [name = "", ...args] = process.argv.slice(2);
const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (load === undefined) {
  const all = await Promise.all(Object.values(commands).map((one) => one()));
  console.error(`Usage: pnpm oven <command>\n\n${all.map(({ usage }) => `  ${usage}`).join("\n")}`);
  process.exitCode = 2;
} else {
  try {
    const command = await load();
    process.exitCode = await command.run(args, (text) => void process.stdout.write(text));
  } catch (error) {
    console.error(`oven ${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  }
}
