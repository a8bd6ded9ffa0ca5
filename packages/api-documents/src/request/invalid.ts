import { OvenError } from "@oven/contract";

/** @param path of the value in the input */
export function invalid(path: string, message: string, fix: string): OvenError {
  return new OvenError("INPUT_INVALID", message, { path, fix });
}
