import { type Json, type JsonObject, parseJson } from "@oven/contract";
import { isObject, setOwn } from "@oven/engine";
import { SECRET_NAMES } from "../../importing/credentials.ts";
import type { ImportReporter } from "../../importing/import-reporter.ts";
import { toPath } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";

/** A value that n8n has outside of a workflow, or that its document leaves open. */
export interface Variable {
  /** `$env`, `$vars` or `$unset` */
  root: string;
  /** Of `$unset`: the node and its setting; else one name. */
  keys: readonly string[];
}

/** Where such values stand in the context of a run, by what n8n's scripts read. `$unset` is written by the import alone. */
const ROOTS: Readonly<Record<string, { group: string; depth: number }>> = {
  $env: { group: "env", depth: 1 },
  $vars: { group: "vars", depth: 1 },
  $unset: { group: "settings", depth: 2 },
  // What a model gives to a tool, also written by the import alone.
  $toolArguments: { group: "toolArguments", depth: 1 },
};
const OF_THE_INSTALLATION = new Set(["$env", "$vars"]);

/** Whether a name outside of the workflow is that of a secret: what it has must not come into the record of a run. */
export function isSecretName(name: string): boolean {
  return (
    SECRET_NAMES.test(name) || /(?:^|_)(?:keys?|pass|pwd|auth|creds?|pat)(?:_|$)/i.test(name) || /[a-z]Key$/.test(name)
  );
}

/** @throws NoEquivalent for what is a secret by its name: no variable of a run may have it */
export function variableIn(root: string, keys: readonly string[]): Variable | undefined {
  const known = Object.hasOwn(ROOTS, root) ? ROOTS[root] : undefined;
  if (known === undefined || keys.length !== known.depth) return undefined;
  const [name = ""] = keys;
  if (OF_THE_INSTALLATION.has(root) && isSecretName(name))
    throw new NoEquivalent(
      `it reads ${name} of ${root === "$env" ? "the environment of the server" : "n8n's installation"}, a secret by its name, where no secret is filled in`,
    );
  return { root, keys };
}

export function pathOfVariable({ root, keys }: Variable): string {
  return toPath(`$.${ROOTS[root]?.group ?? ""}`, keys);
}

/** The inputs by which a script finds the variables that it reads. */
export function inputsOfVariables(variables: readonly Variable[]): JsonObject {
  const inputs: JsonObject = {};
  for (const variable of variables) setIn(inputs, [variable.root, ...variable.keys], pathOfVariable(variable));
  return inputs;
}

/** A text in JavaScript without braces, which would end the expression that it stands in. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("{", "\\u007b").replaceAll("}", "\\u007d");
}

/** JavaScript for a setting that the document leaves open: it fails until the setting is filled in. */
export function unsetSetting(node: string, setting: string): string {
  const place = `settings[${JSON.stringify(node)}][${JSON.stringify(setting)}]`;
  const message = `“${setting}” of “${node}” is not set: write it into ${place} of the workflow's context`;
  const value = `$unset[${quoted(node)}][${quoted(setting)}]`;
  return `={{ ${value} ?? (() => { throw new Error(${quoted(message)}); })() }}`;
}

const READ = /\$\.(env|vars|settings)((?:\.[A-Za-z_][\w-]*|\["(?:[^"\\]|\\.)*"\])+)/g;
const KEY = /\.([A-Za-z_][\w-]*)|\["((?:[^"\\]|\\.)*)"\]/g;

/** The variables that states read, without values: each is reported, to be filled in. */
export function variablesIn(states: Json, reporter: ImportReporter): JsonObject {
  const context: JsonObject = {};
  const look = (value: Json): void => {
    if (Array.isArray(value)) for (const one of value) look(one);
    else if (isObject(value)) for (const one of Object.values(value)) look(one);
    else if (typeof value === "string")
      for (const [path, group = "", rest = ""] of value.matchAll(READ)) {
        const found = [...rest.matchAll(KEY)].map(([, plain, quoted]) => plain ?? String(parseJson(`"${quoted}"`)));
        const keys: string[] = found.slice(0, group === "settings" ? 2 : 1);
        setIn(context, [group, ...keys], null);
        reporter.setting("configuration", path.slice(2), adviceFor(group, keys), "$.nodes");
      }
  };
  look(states);
  return context;
}

function adviceFor(group: string, [name = "", setting = ""]: readonly string[]): string {
  const into = "write it into the workflow's context, where it is null until you do.";
  if (group === "settings")
    return `“${setting}” of “${name}” is not in the document: ${into} The run fails without it.`;
  return group === "env"
    ? `n8n reads ${name} from the environment of its server: ${into}`
    : `n8n reads the variable ${name} of its installation: ${into}`;
}

function setIn(target: JsonObject, [key = "", ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    setOwn(target, key, value);
    return;
  }
  const inner = Object.hasOwn(target, key) ? target[key] : undefined;
  const next: JsonObject = isObject(inner) ? inner : {};
  setOwn(target, key, next);
  setIn(next, rest, value);
}
