import { isOvenError } from "@oven/contract";
import type { Transition } from "@oven/contract/workflow";
import { parseDuration } from "../expressions/duration.ts";
import type { PathPart, Problems } from "./problems.ts";

/** `orders.paid`, `orders.*`, or `*`. */
const EVENT_NAME = /^(?:\*|[A-Za-z0-9_:-]+(?:\.[A-Za-z0-9_:-]+)*(?:\.\*)?)$/;
const MAX_EVENT_NAME = 200;

export function checkEvents(on: Record<string, Transition> | undefined, path: PathPart[], problems: Problems): void {
  for (const name of Object.keys(on ?? {})) {
    if (EVENT_NAME.test(name) && name.length <= MAX_EVENT_NAME) continue;
    problems.error(
      [...path, name],
      "event",
      `${JSON.stringify(name)} is not an event name`,
      "Use letters, digits, _, - and : with dots between, such as orders.paid; orders.* and * take every event.",
    );
  }
}

export function checkTimers(after: Record<string, Transition> | undefined, path: PathPart[], problems: Problems): void {
  for (const key of Object.keys(after ?? {})) {
    try {
      parseDuration(/^\d+$/.test(key) ? Number(key) : key);
    } catch (cause) {
      if (!isOvenError(cause)) throw cause;
      problems.error([...path, key], "duration", cause.message, cause.fix ?? "Write milliseconds or a duration.");
    }
  }
}
