import type { Problem } from "@oven/contract";

export type PathPart = string | number;

/** `$.states.review.onDone[0]`. */
export function toPath(parts: readonly PropertyKey[]): string {
  return parts.reduce<string>((path, part) => {
    if (typeof part === "number") return `${path}[${part}]`;
    const key = String(part);
    return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
  }, "$");
}

/** Collects what is wrong. */
export class Problems {
  readonly list: Problem[] = [];

  error(path: readonly PropertyKey[], rule: string, message: string, fix: string): void {
    this.list.push({ path: toPath(path), rule, message, fix, severity: "error" });
  }

  /** @param about the expression that it is about */
  warn(path: readonly PropertyKey[], rule: string, message: string, fix: string, about?: string): void {
    const problem = { path: toPath(path), rule, message, fix, severity: "warning" as const };
    this.list.push(about === undefined ? problem : { ...problem, about });
  }

  get hasErrors(): boolean {
    return this.list.some((problem) => problem.severity === "error");
  }
}
