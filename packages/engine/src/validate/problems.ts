import { type Problem, type SchemaNote, toJsonPath } from "@oven/contract";

export type PathPart = string | number;

/** Collects what is wrong. */
export class Problems {
  readonly list: Problem[] = [];

  error(path: readonly PropertyKey[], rule: string, message: string, fix: string): void {
    this.list.push({ path: toJsonPath(path), rule, message, fix, severity: "error" });
  }

  /** @param about the expression that it is about */
  warn(path: readonly PropertyKey[], rule: string, message: string, fix: string, about?: string): void {
    const problem = { path: toJsonPath(path), rule, message, fix, severity: "warning" as const };
    this.list.push(about === undefined ? problem : { ...problem, about });
  }

  /** A part of a schema that those who are to give values for it do not see. @param path where the schema stands */
  addNote(path: readonly PropertyKey[], note: SchemaNote): void {
    this.list.push({
      path: toJsonPath(path),
      rule: "schema-readers",
      message: `Not every reader sees the whole schema. At ${note.path}: ${note.message}`,
      fix: "The whole schema still checks what comes. Say it in another way if those who give the value must know it.",
      severity: "warning",
      note,
    });
  }

  get hasErrors(): boolean {
    return this.list.some((problem) => problem.severity === "error");
  }
}
