import { OvenError } from "@oven/contract";

const MAX_LENGTH = 1_000;
const MAX_NESTING = 100;

const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E };
const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  cos: Math.cos,
  exp: Math.exp,
  floor: Math.floor,
  ln: Math.log,
  log10: Math.log10,
  max: Math.max,
  min: Math.min,
  round: (value, digits = 0) => Math.round(value * 10 ** digits) / 10 ** digits,
  sin: Math.sin,
  sqrt: Math.sqrt,
  sum: (...values) => values.reduce((total, value) => total + value, 0),
  tan: Math.tan,
};
export const FUNCTION_NAMES: readonly string[] = Object.keys(FUNCTIONS);

/**
 * The value of an arithmetic expression: `+ - * / % ^`, parentheses, numbers, `pi`, `e` and the functions above. Floating
 * point, as everywhere in JSON.
 * @throws OvenError CALCULATION_INVALID
 */
export function calculate(expression: string): number {
  if (expression.length > MAX_LENGTH) throw invalid(`it is longer than ${MAX_LENGTH} characters`);
  const parser = new Parser(expression);
  const value = parser.sum(0);
  parser.end();
  if (!Number.isFinite(value)) throw invalid("the result is not a finite number");
  return value;
}

/** Recursive descent, lowest precedence first; `^` binds to the right and stronger than a sign before it. */
class Parser {
  readonly #tokens: readonly string[];
  #position = 0;

  constructor(expression: string) {
    const tokens = expression.match(/\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+|[A-Za-z][A-Za-z0-9]*|[-+*/%^(),]|\S/g) ?? [];
    this.#tokens = tokens;
  }

  sum(depth: number): number {
    if (depth > MAX_NESTING) throw invalid("it is nested too deeply");
    let value = this.#product(depth);
    for (;;) {
      if (this.#takes("+")) value += this.#product(depth);
      else if (this.#takes("-")) value -= this.#product(depth);
      else return value;
    }
  }

  end(): void {
    const rest = this.#tokens[this.#position];
    if (rest !== undefined) throw invalid(`\`${rest}\` was not expected`);
  }

  #product(depth: number): number {
    let value = this.#signed(depth);
    for (;;) {
      if (this.#takes("*")) value *= this.#signed(depth);
      else if (this.#takes("/")) value /= this.#signed(depth);
      else if (this.#takes("%")) value %= this.#signed(depth);
      else return value;
    }
  }

  #signed(depth: number): number {
    if (depth > MAX_NESTING) throw invalid("it is nested too deeply");
    if (this.#takes("-")) return -this.#signed(depth + 1);
    if (this.#takes("+")) return this.#signed(depth + 1);
    const base = this.#value(depth);
    return this.#takes("^") ? base ** this.#signed(depth + 1) : base;
  }

  #value(depth: number): number {
    const token = this.#tokens[this.#position];
    if (token === undefined) throw invalid("it ends too early");
    this.#position += 1;
    if (token === "(") {
      const value = this.sum(depth + 1);
      this.#expect(")");
      return value;
    }
    if (/^[\d.]/.test(token) && token !== ".") return Number(token);
    if (Object.hasOwn(CONSTANTS, token)) return CONSTANTS[token] ?? 0;
    const call = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined;
    if (call === undefined) throw invalid(`\`${token}\` was not expected`);
    this.#expect("(");
    const values = [this.sum(depth + 1)];
    while (this.#takes(",")) values.push(this.sum(depth + 1));
    this.#expect(")");
    return call(...values);
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#position] !== token) return false;
    this.#position += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#takes(token)) throw invalid(`\`${token}\` is missing`);
  }
}

function invalid(problem: string): OvenError {
  return new OvenError("CALCULATION_INVALID", `The expression cannot be calculated: ${problem}`, {
    status: 422,
    path: "$.expression",
    fix: `Use numbers, + - * / % ^, parentheses, pi, e and: ${FUNCTION_NAMES.join(", ")}.`,
  });
}
