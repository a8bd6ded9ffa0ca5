import { isObject, type Json, JsonSchema, markDeceptive } from "@oven/contract";
import type { Queryable } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import { reviewPath } from "./facts.ts";
import type { MailPart } from "./html-mail.ts";
import { shorten } from "./shorten.ts";

/** In characters: a mail shows what it is about, the page shows all of it. */
const LONGEST_VALUE = 600;
const LONGEST = 2_000;

/** The name of what is proposed, among the details. */
export const PROPOSED = "Proposed";

interface ReviewRow extends Record<string, unknown> {
  proposal: Json;
  context: Json;
  tool: string | null;
  actions: string[];
  due_at: Date | null;
  requested_by: string | null;
}

/** Who reads the mail. */
export interface Reader {
  tenantId: number;
  /** IANA. */
  timezone: string;
}

/**
 * What a mail shows of a review: who asks, the call, what is proposed, why, until when on the reader's clock, and buttons that lead to
 * the page. Empty where the review is gone.
 */
export async function readReviewDetails(
  { db, services, publicUrl }: { db: Queryable; services: Pick<ServiceMap, "secrets">; publicUrl: string },
  reviewId: number,
  { tenantId, timezone }: Reader,
): Promise<Pick<MailPart, "details" | "buttons">> {
  const [row] = await db.query<ReviewRow>(
    `select r.proposal, r.context, r.tool, r.actions, r.due_at, u.name as requested_by
     from reviews r left join users u on u.id = r.requested_by where r.id = $1 and r.tenant_id = $2`,
    [reviewId, tenantId],
    "notification-review-details",
  );
  if (row === undefined) return {};
  const clean = (value: Json): string => toText(JsonSchema.parse(services.secrets.redact(tenantId, value)));
  const details = [
    { label: "Asked by", text: row.requested_by ?? "" },
    { label: "Calls", text: row.tool ?? "" },
    { label: PROPOSED, text: clean(row.proposal) },
    { label: "Why", text: clean(row.context) },
    { label: "Due", text: row.due_at === null ? "" : formatIn(timezone, row.due_at) },
  ].map(({ label, text }) => ({ label, text: markDeceptive(text) }));
  const page = publicUrl + reviewPath(reviewId);
  const offers = (action: string) => row.actions.includes(action);
  return {
    details: details.filter(({ text }) => text !== ""),
    buttons: [
      { label: "Open the review", link: page },
      ...(offers("edit") ? [{ label: "Edit", link: `${page}?action=edit` }] : []),
      ...(offers("reject") ? [{ label: "Reject", link: `${page}?action=reject` }] : []),
    ],
  };
}

function formatIn(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(at);
}

/** One line for each field. */
function toText(value: Json): string {
  if (value === null) return "";
  if (!isObject(value)) return shorten(toLine(value), LONGEST);
  const lines = Object.entries(value).map(([name, child]) => `${name}: ${shorten(toLine(child), LONGEST_VALUE)}`);
  return shorten(lines.join("\n"), LONGEST);
}

function toLine(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
