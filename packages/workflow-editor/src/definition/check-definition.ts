import { type JsonObject, type Problem, readJson, toJsonPath } from "@oven/contract";
import { t } from "@oven/i18n";
import { ApiError } from "@oven/ui/api/api-error.ts";
import type { EditorMark } from "@oven/ui/components/json-editor/json-editor.tsx";
import { findSpan, type Positions, readPositions, toLine } from "@oven/ui/components/json-editor/json-positions.ts";

/** A problem with its place in the text. */
export interface PlacedProblem extends Problem {
  line: number;
  offset: number;
  end: number;
}

export type ParsedDefinition =
  | { ok: true; definition: JsonObject; positions: Extract<Positions, { ok: true }> }
  | { ok: false; problem: PlacedProblem };

function syntaxProblem(text: string, message: string, offset: number): PlacedProblem {
  return {
    path: "$",
    rule: "json",
    message,
    fix: t("Correct the JSON here; the rest is checked afterwards"),
    severity: "error",
    line: toLine(text, offset),
    offset,
    end: Math.min(text.length, offset + 1),
  };
}

/** Reads the text of a definition, with the place of each value. */
export function parseDefinition(text: string): ParsedDefinition {
  const positions = readPositions(text);
  if (!positions.ok) return { ok: false, problem: syntaxProblem(text, positions.message, positions.offset) };
  const { value: definition, longNumbers } = readJson(text);
  const [long] = longNumbers;
  if (long !== undefined) {
    const message = t("This has more digits than a number can have. Write it in quotes, as text.");
    return {
      ok: false,
      problem: syntaxProblem(text, message, findSpan(positions.spans, toJsonPath(long.path))?.start ?? 0),
    };
  }
  if (typeof definition !== "object" || definition === null || Array.isArray(definition)) {
    return { ok: false, problem: syntaxProblem(text, "A definition is an object with `initial` and `states`", 0) };
  }
  return { ok: true, definition, positions };
}

/** Each problem at the line of its path, or of the nearest thing around it that exists. */
export function placeProblems(
  text: string,
  positions: Extract<Positions, { ok: true }>,
  problems: readonly Problem[],
): PlacedProblem[] {
  return problems.map((problem) => {
    // A body's path starts at `$.definition`; the text is the definition itself.
    const path = problem.path.replace(/^\$\.definition(?=$|[.[])/, "$");
    const span = findSpan(positions.spans, path) ?? { start: 0, end: 0 };
    const firstLineEnd = text.indexOf("\n", span.start);
    const end = firstLineEnd === -1 ? span.end : Math.min(span.end, firstLineEnd);
    return { ...problem, path, line: toLine(text, span.start), offset: span.start, end };
  });
}

/** Problems as marks beside the lines of the text. */
export function toMarks(problems: readonly PlacedProblem[]): EditorMark[] {
  return problems.map(({ line, severity, message }) => ({ line, severity, message }));
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "path" in value && "message" in value && "rule" in value;
}

/** The problems an error answer carries in `details.problems`; those of a refused definition. */
export function toProblems(error: unknown): Problem[] {
  const problems = error instanceof ApiError ? error.details?.problems : undefined;
  const list: unknown[] = Array.isArray(problems) ? problems : [];
  return list.filter(isProblem).map((problem) => ({ ...problem, severity: problem.severity ?? "error" }));
}
