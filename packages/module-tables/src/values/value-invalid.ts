import { OvenError } from "@oven/contract";
import type { ValueProblem } from "@oven/contract/table";

/** An error of a value as clients see it. @param path such as `$.rows[0].email` */
export function valueInvalid(path: string, column: string, { message }: ValueProblem): OvenError {
  return new OvenError("TABLE_VALUE_INVALID", `${column} ${message}`, {
    status: 422,
    path,
    fix: "Send a value that fits the column, or change the type of the column.",
    details: { column },
  });
}
