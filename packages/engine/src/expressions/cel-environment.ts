import { Environment } from "@marcbachmann/cel-js";
import { parseJson } from "@oven/contract";
import { spend, spendOn, spendOnEqual, spendOnIn, spendOnLeft, spendOnMatching } from "./cel-budget.ts";
import { registerTime, TIME_FUNCTIONS, TIME_METHODS } from "./cel-time.ts";
import { isObject } from "./json-access.ts";
import { matchesPattern } from "./regex.ts";

const MAX_ITEMS = 1_000;
/** What an expression can begin with. */
export const CEL_VARIABLES = [
  "ctx",
  "trigger",
  "item",
  "index",
  "parent",
  "execution",
  "output",
  "event",
  "args",
] as const;

/** What the names of our own functions begin with. */
export const OWN = "oven_";
/** `matches` of the library is the JavaScript engine, which backtracks; calls are renamed to this one. */
export const LIMITED = "oven_list";
const MATCHES = "oven_matches";
/** The library's `json` rounds numbers. */
const JSON_OF = "oven_json";
/** Functions around operands, by what is counted. */
export const SPEND = "oven_spend";
export const SPEND_LEFT = "oven_left";
export const SPEND_EQUAL = "oven_equal";
export const SPEND_IN = "oven_in";

/** Functions and methods of the library whose calls go to one of ours with the same name behind `OWN`. */
export const RENAMED: ReadonlySet<string> = TIME_FUNCTIONS;
export const RENAMED_METHODS: ReadonlySet<string> = new Set(["matches", "json", ...TIME_METHODS]);

export const celEnvironment = createEnvironment();

function createEnvironment(): Environment {
  const made = new Environment({
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: {
      maxAstNodes: 1_000,
      maxDepth: 40,
      maxListElements: MAX_ITEMS,
      maxMapEntries: MAX_ITEMS,
      maxCallArguments: 8,
    },
  });
  for (const name of CEL_VARIABLES) made.registerVariable(name, "dyn");
  // JSON has one number type; CEL literals are 64-bit integers. Mixed arithmetic gives a JSON number.
  const arithmetic: Record<string, (left: number, right: number) => number> = {
    "+": (left, right) => left + right,
    "-": (left, right) => left - right,
    "*": (left, right) => left * right,
    "/": (left, right) => left / right,
    "%": (left, right) => left % right,
  };
  for (const [operator, apply] of Object.entries(arithmetic)) {
    const mixed = (left: unknown, right: unknown): number => apply(Number(left), Number(right));
    made.registerOperator(`int ${operator} double`, mixed);
    made.registerOperator(`double ${operator} int`, mixed);
  }
  made.registerOperator("double % double", (left: number, right: number) => left % right);
  made.registerFunction(`${LIMITED}(dyn): dyn`, (list: unknown) => {
    const size = Array.isArray(list) ? list.length : isObject(list) ? Object.keys(list).length : 0;
    if (size > MAX_ITEMS) throw new RangeError(`a list of ${size} items is over the limit of ${MAX_ITEMS}`);
    spend(size);
    return list;
  });
  made.registerFunction(`string.${MATCHES}(string): bool`, (text: string, pattern: string) => {
    spendOnMatching(text);
    return matchesPattern(pattern, text);
  });
  made.registerFunction(`bytes.${JSON_OF}(): dyn`, (bytes: Uint8Array) => parseJson(new TextDecoder().decode(bytes)));
  registerTime(made, OWN);
  made.registerFunction(`${SPEND}(dyn): dyn`, spendOn);
  made.registerFunction(`${SPEND_LEFT}(dyn): dyn`, spendOnLeft);
  made.registerFunction(`${SPEND_EQUAL}(dyn): dyn`, spendOnEqual);
  made.registerFunction(`${SPEND_IN}(dyn): dyn`, spendOnIn);
  return made;
}
