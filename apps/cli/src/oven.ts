#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { type Commands, runOven } from "./run-oven.ts";

/*
 * `oven <command>`, in the repository `pnpm oven <command>`: what is done with an installation from a shell, here (embedded) or at a server (`--url`).
 * Adding a command: its file beside this one and its line here. A command's file is loaded when the command is called.
 */
const commands: Commands = {
  backup: async () => (await import("./backup.command.ts")).backupCommand,
  diff: async () => (await import("./diff.command.ts")).diffCommand,
  doctor: async () => (await import("./doctor.command.ts")).doctorCommand,
  eval: async () => (await import("./eval.command.ts")).evalCommand,
  imports: async () => (await import("./imports.command.ts")).importsCommand,
  mcp: async () => (await import("./mcp.command.ts")).mcpCommand,
  move: async () => (await import("./move.command.ts")).moveCommand,
  person: async () => (await import("./person.command.ts")).personCommand,
  promote: async () => (await import("./promote.command.ts")).promoteCommand,
  receipts: async () => (await import("./receipts.command.ts")).receiptsCommand,
  rehearse: async () => (await import("./rehearse.command.ts")).rehearseCommand,
  restore: async () => (await import("./restore.command.ts")).restoreCommand,
  "setup-link": async () => (await import("./setup-link.command.ts")).setupLinkCommand,
  start: async () => (await import("./start.command.ts")).startCommand,
  sync: async () => (await import("./sync.command.ts")).syncCommand,
  trace: async () => (await import("./trace.command.ts")).traceCommand,
  types: async () => (await import("./types.command.ts")).typesCommand,
  verify: async () => (await import("./verify.command.ts")).verifyCommand,
  worker: async () => (await import("./worker.command.ts")).workerCommand,
};

// From the second call on, nothing is compiled.
enableCompileCache();
process.exitCode = await runOven(commands, process.argv.slice(2), {
  write: (text) => void process.stdout.write(text),
  complain: (text) => void process.stderr.write(text),
});
