import { isObject, type Json, markDeceptive } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import { shorten } from "../messages/shorten.ts";

/** Fields line by line. Further lines of a text are indented, so that none of them reads like another field. */
export function toFieldText(value: Json): string {
  if (value === null) return "";
  const text = isObject(value)
    ? Object.entries(value)
        .map(([name, child]) => `${toOneLine(name)}: ${toLine(child)}`)
        .join("\n")
    : toLine(value);
  return markDeceptive(text.toWellFormed());
}

function toLine(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.replace(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, "\n    │ ");
}

function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

/** What came from a run, on one line, with marks for invisible characters. */
export function toShownLine(text: string): string {
  return markDeceptive(toOneLine(text).toWellFormed());
}

/** Who may decide the review now, and how many of them must. */
export function whoDecides({ assignees, policy, stage, stages }: Review): string {
  const who =
    assignees.length === 0
      ? "everyone who may decide reviews"
      : assignees.map((assignee) => assignee.replace(/^(role|user):/, "")).join(", ");
  return [
    toShownLine(who),
    ...(policy.approvals > 1 ? [`${policy.approvals} people must approve`] : []),
    ...(stages.length > 1 ? [`step ${stage + 1} of ${stages.length}`] : []),
    ...(policy.notRequester ? ["not the person who asked"] : []),
  ].join("; ");
}

/** Those who approved the proposal as it stands, by name. */
export function whoApproved({ votes }: Review): string {
  return votes.map(({ userId, userName }) => toShownLine(userName ?? `user ${userId}`)).join(", ");
}

const PAST: Record<string, string> = { approve: "Approved", reject: "Rejected", edit: "Edited and approved" };
const LONGEST_REASON = 500;

/** How the review ended, and by whom; null while it is open. */
export function toOutcome(review: Review, timezone: string): string | null {
  const { status, action, decidedBy, decidedByName, decidedAt, reason } = review;
  if (status === "open") return null;
  if (status === "expired") return "Not decided in time.";
  if (status === "cancelled") return "No longer asked: its run has ended.";
  const what = PAST[action ?? ""] ?? `Decided: ${toShownLine(action ?? "")}`;
  const who = decidedBy === null ? "without a person" : `by ${toShownLine(decidedByName ?? `user ${decidedBy}`)}`;
  const when = decidedAt === null ? "" : `, ${formatIn(timezone, new Date(decidedAt))}`;
  const why = reason === null ? "" : `\n${shorten(toFieldText(reason), LONGEST_REASON)}`;
  return `${what} ${who}${when}${why}`;
}

/** @param timeZone IANA */
export function formatIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(at);
}
