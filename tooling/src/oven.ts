import { doctorCommand } from "./oven/doctor.command.ts";
import { evalCommand } from "./oven/eval.command.ts";
import { mcpCommand } from "./oven/mcp.command.ts";
import type { OvenCommand } from "./oven/oven-command.ts";
import { promoteCommand } from "./oven/promote.command.ts";
import { setupLinkCommand } from "./oven/setup-link.command.ts";
import { traceCommand } from "./oven/trace.command.ts";

/*
 * `pnpm oven <command>`: what is done with an installation from a shell, here (embedded) or at a server (`--url`).
 * Adding a command: its file in `oven/` and its line here.
 */
const commands: OvenCommand[] = [
  doctorCommand,
  evalCommand,
  mcpCommand,
  promoteCommand,
  setupLinkCommand,
  traceCommand,
];

const [name, ...args] = process.argv.slice(2);
const command = commands.find((one) => one.name === name);
if (command === undefined) {
  console.error(`Usage: pnpm oven <command>\n\n${commands.map(({ usage }) => `  ${usage}`).join("\n")}`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await command.run(args, (text) => void process.stdout.write(text));
  } catch (error) {
    console.error(`oven ${command.name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  }
}
