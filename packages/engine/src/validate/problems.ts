import { type Problem, toJsonPath } from "@oven/contract";

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

  get hasErrors(): boolean {
    return this.list.some((problem) => problem.severity === "error");
  }
}
