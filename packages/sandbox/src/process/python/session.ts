import type { CallAnswer } from "../../job.ts";

/** The version of the interpreter that is installed; a test holds it to that of the package. */
export const MONTY_VERSION = "0.0.18";
/** Changes with what a session means: with the interpreter, and with what this process writes beside its bytes. */
const FORMAT = `monty-${MONTY_VERSION}/1`;

/** Calls of a program whose answers it has not taken. */
export interface CallState {
  next: number;
  open: { index: number; name: string; argumentsJson: string }[];
  answers: [index: number, answer: CallAnswer][];
}

/** A program that waits. */
export interface Session {
  calls: CallState;
  /** Bytes that it has printed. */
  printed: number;
  /** Milliseconds that it has computed. */
  computed: number;
  /** Of the interpreter, as base64. */
  snapshot: string;
}

/** A session of another version, or what is none. The program can begin anew with the answers that are recorded. */
export class UnreadableSession extends Error {}

/** A program that waits, as text. */
export function writeSession(session: Session): string {
  return JSON.stringify({ format: FORMAT, ...session });
}

/** @throws UnreadableSession */
export function readSession(text: string): Session {
  const session = parse(text);
  if (session.format !== FORMAT)
    throw new UnreadableSession(`It is of ${String(session.format)}, and this is ${FORMAT}`);
  const { calls, printed, computed, snapshot } = session;
  const isWhole =
    typeof snapshot === "string" &&
    Number.isSafeInteger(printed) &&
    Number.isFinite(computed) &&
    Number.isSafeInteger(calls?.next) &&
    Array.isArray(calls?.open) &&
    Array.isArray(calls?.answers);
  if (!isWhole) throw new UnreadableSession("It is damaged");
  return { calls, printed, computed, snapshot };
}

function parse(text: string): Session & { format: unknown } {
  try {
    return Object(JSON.parse(text)) as Session & { format: unknown }; // cast: its parts are looked at
  } catch (cause) {
    throw new UnreadableSession("It is no JSON", { cause });
  }
}
