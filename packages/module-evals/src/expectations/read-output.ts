import { type Json, OvenError } from "@oven/contract";
import { ExpressionSyntaxError, getOwn, isObject, parsePath } from "@oven/engine";

/** The value at a path of the output; undefined when there is none. @throws ExpressionSyntaxError */
export function readOutput(output: Json, path: string): Json | undefined {
  const { segments } = parseOutputPath(path);
  let value: Json | undefined = output;
  for (const segment of segments) {
    if (Array.isArray(value)) value = typeof segment === "number" ? value.at(segment) : undefined;
    else value = value !== undefined && isObject(value) ? getOwn(value, String(segment)) : undefined;
  }
  return value;
}

/** @throws ExpressionSyntaxError */
export function parseOutputPath(path: string) {
  const parsed = parsePath(path);
  if (parsed.config || parsed.pipes.length > 0)
    throw new ExpressionSyntaxError("path", `${path} is not a path of an output`, "Write it as $.name, without pipes.");
  return parsed;
}

/** What cannot be read in an expectation, as its author is told. */
export function invalidExpectation(path: string, cause: ExpressionSyntaxError): OvenError {
  return new OvenError("INVALID_EXPECTATION", cause.message, { status: 400, path, fix: cause.fix, cause });
}
