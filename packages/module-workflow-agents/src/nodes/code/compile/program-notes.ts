import type { ProgramNote } from "@oven/contract/workflow";
import type { DividedProgram } from "./divide-program.ts";
import { type Known, type Types, typeOf } from "./json-types.ts";
import { callOf, type Part, parsePython, walk } from "./python-tree.ts";

/** Where the graph may differ from the program although each of its steps is right. */
export function notesOf(code: string, { types }: Pick<DividedProgram, "types">): ProgramNote[] {
  const parts = parsePython(code).flatMap((statement) => [...walk(statement)]);
  const computed = parts.some((part) => isComputed(part) && knownOf(part, types)?.type !== "integer");
  const written = parts.find(isWritten);
  return computed && written !== undefined ? [{ kind: "numbers", line: written.line }] : [];
}

function knownOf(part: Part, types: Types): Known {
  const [target] = part.parts;
  return part.type === "UpdateStatement" && target !== undefined ? typeOf(target, types) : typeOf(part, types);
}

/** Arithmetic: its result may be a number that Python writes with a point. */
function isComputed(part: Part): boolean {
  if (part.type === "Number") return part.text.includes(".");
  const operator = part.parts[1];
  return part.type === "UpdateStatement" || (part.type === "BinaryExpression" && operator?.type === "ArithOp");
}

function isWritten(part: Part): boolean {
  if (part.type === "FormatReplacement") return true;
  return ["str", "repr", "json.dumps", "isinstance", "type"].includes(callOf(part)?.callee.text ?? "");
}
