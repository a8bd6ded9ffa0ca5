import type { JsonObject } from "@oven/contract";
import { setOwn } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { withBase64 } from "./dify-base64.ts";
import { type MapNode, toStep } from "./dify-context.ts";
import { objectsIn, selectorOf } from "./dify-document.ts";

/** Modules of Python that code has here. */
const MODULES = new Set(["json", "math", "re", "datetime", "asyncio", "typing"]);

/** What Python has and the interpreter here has not, as far as a line shows it. */
const MISSING: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^\s*class\s+\w+/m, "it declares a class"],
  [/^\s*match\s+[^=(]+:\s*$/m, "it uses match"],
  [/^\s*del\s/m, "it uses del"],
  [/\byield\b/, "it uses yield"],
  [/["'\w)\]]\.format\(/, "it fills texts in by format"],
  [/(?<![\w.])(?:locals|globals|eval|exec)\(/, "it calls locals, globals, eval or exec"],
  [/\b(?:datetime|date)\.(?:now|today|utcnow)\(/, "it reads the clock"],
];

/** Texts and comments of Python, each as a whole. */
const TEXTS = /#[^\n]*|'''[\s\S]*?'''|"""[\s\S]*?"""|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;

/** Whether a text stands before `%`, which fills it in. Whether a variable there holds a text is not known. */
function fillsByPercent(code: string): boolean {
  return /""[ \t]*%/.test(code.replaceAll(TEXTS, (found) => (found.startsWith("#") ? "" : '""')));
}

/** Code without the modules that it loads and never names: loading one does nothing by itself. */
function withoutUnused(code: string): string {
  return code.replaceAll(
    /^[ \t]*import[ \t]+(\w+)(?:[ \t]+as[ \t]+(\w+))?[ \t]*(?:#.*)?(?:\r?\n|$)/gm,
    (line, module: string, as?: string) => {
      const name = as ?? module;
      const isUsed = code.replace(line, "").search(new RegExp(`\\b${name}\\b`)) >= 0;
      return MODULES.has(module) || isUsed ? line : "";
    },
  );
}

/** @throws NoEquivalent for what Python has and is not there */
function refuseMissing(code: string): void {
  for (const [, from, names = ""] of code.matchAll(/^\s*(?:from\s+([\w.]+)\s+import|import\s+([\w., ]+))/gm)) {
    const modules = (from ?? names).split(",").map((name) => name.trim().split(/[\s.]/)[0] ?? "");
    const other = modules.find((name) => !MODULES.has(name));
    if (other !== undefined) throw new NoEquivalent(`it loads the module ${other}, which is not there`);
  }
  const missing = MISSING.find(([pattern]) => pattern.test(code));
  const why = fillsByPercent(code) ? "it fills texts in by %" : missing?.[1];
  if (why !== undefined) throw new NoEquivalent(`${why}, and the interpreter here cannot`);
}

/** Statements of `main` itself, so that each call comes to them unless it has ended before. */
const SLEEP = /^([ \t]+)time\.sleep\([ \t]*(\d+(?:\.\d+)?)[ \t]*\)[ \t]*(?:#.*)?(?:\r?\n|$)/gm;
const MAIN = /^def[ \t]+main\b[^\n]*:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*([ \t]+)(?=\S)/m;

/**
 * Code without the pauses that `main` makes, which change nothing but the time, and how long they are in milliseconds. Where the module
 * is used otherwise, the code stays as it is, and its import says what is missing.
 */
function withoutPauses(code: string): { code: string; ms: number } {
  const main = MAIN.exec(code);
  const body = main && code.slice(main.index).split(/\n(?=\S)/)[0];
  if (main === null || body === undefined || body === null) return { code, ms: 0 };
  let ms = 0;
  const shorter = body.replaceAll(SLEEP, (line, indent: string, seconds: string) => {
    if (indent !== main[1]) return line;
    ms += Math.round(Number(seconds) * 1_000);
    return `${indent}pass\n`;
  });
  const rest = withoutUnused(code.replace(body, () => shorter));
  return ms === 0 || /\btime\.sleep\b|^[ \t]*(?:import|from)[ \t]+time\b/m.test(rest)
    ? { code, ms: 0 }
    : { code: rest, ms };
}

/** A code node: its `main` runs in the sandbox, with its variables as inputs. */
export const mapCode: MapNode = (node, context) => {
  const { code: given, code_language: language, variables } = node.data;
  if (typeof given !== "string" || given.trim() === "") throw new NoEquivalent("it has no code");
  const isPython = language === "python3";
  const pauses = isPython ? withoutPauses(withoutUnused(given)) : { code: given, ms: 0 };
  const code = isPython ? withBase64(pauses.code) : given;
  if (!isPython && language !== "javascript") throw new NoEquivalent(`its code is ${String(language)}`);
  if (isPython) refuseMissing(code);
  const inputs: JsonObject = {};
  for (const { variable, value_selector } of objectsIn(variables)) {
    const selector = selectorOf(value_selector);
    if (typeof variable !== "string" || selector === undefined)
      throw new NoEquivalent("a variable of it names nothing");
    setOwn(inputs, variable, context.data.path(selector));
  }
  const names = Object.keys(inputs);
  if (names.includes("main")) throw new NoEquivalent("a variable of it is called main, as its function is");
  const call = isPython
    ? `main(${names.map((name) => `${name}=${name}`).join(", ")})`
    : `return main({ ${names.join(", ")} });`;
  const step = toStep(node, context, "core.code", {
    ...{ language: isPython ? "python" : "javascript", code: `${code.trimEnd()}\n\n${call}\n`, inputs },
  });
  const mapped = { ...step, endOutput: `$.${context.stateOf(node.id)}_output.result` };
  if (pauses.ms === 0) return mapped;
  return {
    ...mapped,
    before: { what: "pause", invoke: { src: "core.delay", input: { ms: pauses.ms } } },
    notes: [`Its code pauses for ${pauses.ms} ms, which a step before it does.`],
  };
};
