import { type Connect, toJson } from "../peer-client.ts";
import { runCommand, toCommandAnswer } from "./command.ts";

/** The command line of MCP's Inspector, started once for each call. */
export const connect: Connect = async ({ url, key, directory }) => {
  const inspect = (method: string, more: string[] = []) => {
    const where = ["--cli", url, "--transport", "http", "--header", `Authorization: Bearer ${key}`];
    return runCommand("mcp-inspector", [...where, "--method", method, ...more], { HOME: directory });
  };
  return {
    canBeAsked: false,
    names: async () => {
      const ended = await inspect("tools/list");
      const listed = toJson(ended.stdout) as { tools: { name: string }[] } | undefined; // cast: what the Inspector prints
      if (listed === undefined) throw new Error(ended.written);
      return listed.tools.map(({ name }) => name);
    },
    call: async (tool, given) => {
      const fields = Object.entries(given).flatMap(([name, value]) => ["--tool-arg", `${name}=${String(value)}`]);
      return toCommandAnswer(await inspect("tools/call", ["--tool-name", tool, ...fields]));
    },
    close: async () => undefined,
  };
};
