import { type JsonObject, OvenError } from "@oven/contract";

/** What keeps a document from being stored, and where in it. */
export interface SourceProblem {
  /** `$.executors[2].tools[0]` */
  path: string;
  message: string;
  fix: string;
}

/** @throws OvenError SOURCE_INVALID 422 with all of them */
export function refuseProblems(problems: readonly SourceProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  throw new OvenError("SOURCE_INVALID", `${first.path.replace(/^\$\./, "")}: ${first.message}${more}`, {
    status: 422,
    path: first.path,
    fix: first.fix,
    details: { problems: problems.map((problem): JsonObject => ({ ...problem })) },
  });
}
