import { spawnSync } from "node:child_process";
import { OVEN_VERSION } from "@oven/contract";
import { expect, it } from "vitest";
import { type Commands, runOven } from "./run-oven.ts";

const commands: Commands = {
  count: async () => ({
    name: "count",
    usage: "count <file> [--by word] [--json]   (counts)",
    run: async (args, write) => {
      if (args[0] === "broken") throw new Error("the file is broken");
      write(args.join(","));
      return args.length;
    },
  }),
};

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runOven(commands, args, {
    write: (text) => void out.push(text),
    complain: (text) => void err.push(text),
  });
  return { code, out: out.join(""), err: err.join("") };
}

it("hands a command its arguments and ends with its code", async () => {
  expect(await run("count", "a")).toEqual({ code: 1, out: "a", err: "" });
});

it("ends with 2 and the reason when a command cannot run", async () => {
  expect(await run("count", "broken")).toEqual({ code: 2, out: "", err: "oven count: the file is broken\n" });
});

it.each([[], ["constructor"], ["cuont"]])(
  "lists the commands where there is none of that name: %s",
  async (...args) => {
    const { code, out, err } = await run(...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("Usage: oven <command>");
    expect(err).toContain("  count <file>");
  },
);

it.each([["--help"], ["help"], ["help", "count"], ["count", "--help"], ["count", "x", "-h"]])(
  "explains itself on standard output: %s",
  async (...args) => {
    const { code, out, err } = await run(...args);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("count <file>");
  },
);

it("says its version", async () => {
  expect(await run("--version")).toEqual({ code: 0, out: `${OVEN_VERSION}\n`, err: "" });
});

it("completes commands and options in bash", async () => {
  const { out } = await run("completion", "bash");
  const complete = (...words: string[]) => {
    const script = `${out}\nCOMP_WORDS=(oven ${words.map((word) => `"${word}"`).join(" ")}); COMP_CWORD=${words.length}; _oven; echo "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim();
  };
  expect(complete("co")).toBe("completion count");
  expect(complete("count", "--")).toBe("--by --json --help");
  expect(complete("completion", "f")).toBe("fish");
});

it("has a script for zsh and fish, and for no other shell", async () => {
  expect((await run("completion", "zsh")).out).toContain("bashcompinit");
  expect((await run("completion", "fish")).out).toContain('-a "--by --json --help"');
  expect((await run("completion", "tcsh")).code).toBe(2);
});
