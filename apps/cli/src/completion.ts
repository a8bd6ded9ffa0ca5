import type { OvenCommand } from "./oven-command.ts";

const OWN = ["completion", "help", "version"];
const SHELLS = ["bash", "zsh", "fish"];

/**
 * A script that completes the names of commands and their options.
 * @param shell bash, zsh or fish
 * @returns undefined for another shell
 */
export function toCompletion(shell: string, commands: readonly OvenCommand[]): string | undefined {
  const words = new Map(commands.map(({ name, usage }) => [name, optionsOf(usage)]));
  const names = [...words.keys(), ...OWN].toSorted();
  words.set("completion", SHELLS).set("help", [...names]);
  if (shell === "bash") return bash(names, words);
  if (shell === "zsh") return `autoload -U bashcompinit && bashcompinit\n${bash(names, words)}`;
  return shell === "fish" ? fish(names, words) : undefined;
}

/** A command's usage names its options. */
function optionsOf(usage: string): string[] {
  return [...new Set(usage.match(/--[a-z][a-z-]*/g)), "--help"];
}

function bash(names: readonly string[], words: ReadonlyMap<string, readonly string[]>): string {
  const cases = [...words].map(([name, its]) => `    ${name}) words="${its.join(" ")}" ;;`);
  return `_oven() {
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${names.join(" ")}"
  else case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _oven oven
`;
}

function fish(names: readonly string[], words: ReadonlyMap<string, readonly string[]>): string {
  const lines = [`complete -c oven -n __fish_use_subcommand -f -a "${names.join(" ")}"`];
  for (const [name, its] of words)
    lines.push(`complete -c oven -n "__fish_seen_subcommand_from ${name}" -a "${its.join(" ")}"`);
  return `${lines.join("\n")}\n`;
}
