import { type Connect, toJson } from "../peer-client.ts";
import { runCommand, toCommandAnswer } from "./command.ts";

/** The command line of mcporter, started once for each call. */
export const connect: Connect = async ({ url, key, directory }) => {
  const where = ["--http-url", url, "--allow-http", "--header", `Authorization=Bearer ${key}`, "--name", "oven"];
  const run = (args: string[]) => runCommand("mcporter", ["--root", directory, ...args], { HOME: directory });
  return {
    canBeAsked: false,
    names: async () => {
      const ended = await run(["list", ...where, "--json"]);
      const listed = toJson(ended.stdout) as { tools?: { name: string }[] } | undefined; // cast: what mcporter prints
      if (listed?.tools === undefined) throw new Error(ended.written);
      return listed.tools.map(({ name }) => name);
    },
    call: async (tool, given) =>
      toCommandAnswer(
        await run([
          "call",
          ...where,
          "--tool",
          tool,
          "--args",
          JSON.stringify(given),
          "--output",
          "json",
          "--no-oauth",
        ]),
      ),
    close: async () => undefined,
  };
};
