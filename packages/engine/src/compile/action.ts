import type { Json, JsonObject } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import { ExpressionSyntaxError } from "../expressions/expression-error.ts";
import { type CompiledGuard, compileGuard } from "../expressions/guard.ts";
import { type Path, parsePath } from "../expressions/path.ts";
import { READ_ONLY_ROOTS } from "../expressions/scope.ts";
import { type CompiledValue, compileValue } from "../expressions/value.ts";

export type CompiledAction = { guard: CompiledGuard | undefined } & (
  | { type: "assign"; path: Path; mode: "value" | "add" | "append"; value: CompiledValue; keep: number | undefined }
  | { type: "emit"; event: string; payload: CompiledValue }
  | { type: "log"; level: "debug" | "info" | "warn" | "error"; message: CompiledValue; data: CompiledValue | undefined }
);

const EMPTY: JsonObject = {};

/** @throws ExpressionSyntaxError */
export function compileAction(action: Action): CompiledAction {
  const guard = action.guard === undefined ? undefined : compileGuard(action.guard);
  switch (action.type) {
    case "assign":
      return { type: "assign", guard, ...compileAssign(action.params) };
    case "emit":
      return { type: "emit", guard, event: action.params.event, payload: compileValue(action.params.payload ?? EMPTY) };
    case "log": {
      const { level, message, data } = action.params;
      return {
        type: "log",
        guard,
        level,
        message: compileValue(message),
        data: data === undefined ? undefined : compileValue(data),
      };
    }
  }
}

type AssignParams = Extract<Action, { type: "assign" }>["params"];

function compileAssign(params: AssignParams): Omit<Extract<CompiledAction, { type: "assign" }>, "type" | "guard"> {
  const modes = (["value", "add", "append"] as const).filter((mode) => params[mode] !== undefined);
  const mode = modes[0];
  if (mode === undefined || modes.length > 1) {
    throw new ExpressionSyntaxError(
      "assign",
      `assign has ${modes.length === 0 ? "none" : modes.join(" and ")} of value, add, append`,
      "Give exactly one of them.",
    );
  }
  if (params.keep !== undefined && mode !== "append") {
    throw new ExpressionSyntaxError("assign", "keep stands without append", "Remove keep, or use append.");
  }
  const path = parsePath(params.path);
  const root = path.segments[0];
  if (path.pipes.length > 0 || typeof root !== "string") {
    throw new ExpressionSyntaxError(
      "assign",
      `${params.path} cannot be written`,
      "Write to a path such as $.total, without pipes.",
    );
  }
  if (READ_ONLY_ROOTS.has(root)) {
    throw new ExpressionSyntaxError(
      "assign",
      `$.${root} is read-only`,
      "Write to a variable of your own, such as $.total.",
    );
  }
  return { path, mode, value: compileValue((params[mode] ?? null) as Json), keep: params.keep }; // cast: checked above
}
