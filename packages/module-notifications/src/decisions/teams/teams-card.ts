import { shorten } from "../../messages/shorten.ts";
import type { ShownReview } from "../shown-review.ts";

export const APPROVE = "oven-approve";
export const REJECT = "oven-reject";
/** The name of the field for the reason. */
export const REASON = "reason";
const LONGEST_REASON = 3_000;
const SHOWN_DIGEST = 16;
/** Teams takes about 28 KB; in bytes of JSON. */
const LARGEST_CARD = 22_000;
/** Of a card that would be larger. */
const MOST_LINES = 60;
const CUT_PROPOSAL = 2_000;

/** What only one person sees, above the rest. */
export interface Notice {
  text: string;
  link?: string | undefined;
}

/**
 * A review as an Adaptive Card, with buttons; or how it ended, without. What does not fit whole is not approved here.
 * https://adaptivecards.io/explorer
 */
export function toReviewCard(words: { subject: string; text: string }, review: ShownReview, notice?: Notice): object {
  const card = build(words, review, notice);
  if (Buffer.byteLength(JSON.stringify(card)) <= LARGEST_CARD) return card;
  const lines = review.proposal.split("\n").slice(0, MOST_LINES).join("\n");
  const note = review.outcome === null ? "It is too long to be shown here whole: read and approve it in OVEN." : null;
  const cut = { ...review, proposal: shorten(`${lines}\n…`, CUT_PROPOSAL), why: shorten(review.why, CUT_PROPOSAL / 2) };
  return build({ ...words, text: shorten(words.text, CUT_PROPOSAL) }, { ...cut, approve: null, note }, notice);
}

function build(words: { subject: string; text: string }, review: ShownReview, notice: Notice | undefined): object {
  const { facts, proposal, why, note, outcome, id, digest, title } = review;
  const { subject, text } = words;
  return {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [
      ...(notice === undefined ? [] : [{ type: "Container", style: "attention", items: toLines(notice.text) }]),
      ...toLines(subject, { weight: "Bolder", size: "Medium" }),
      ...(outcome === null ? [] : toLines(outcome, { weight: "Bolder" })),
      ...toLines(text),
      ...(`${subject}\n${text}`.includes(title) ? [] : toLines(title)),
      ...facts.flatMap((fact) => toLines(`${fact.label}: ${fact.text}`)),
      ...toLines("Proposed", { weight: "Bolder" }),
      ...toLines(proposal),
      ...(why === "" ? [] : [...toLines("Why", { weight: "Bolder" }), ...toLines(why)]),
      ...(note === null ? [] : toLines(note, { weight: "Bolder" })),
      ...toLines(`Review ${id} · digest ${digest.slice(0, SHOWN_DIGEST)}`, { isSubtle: true, size: "Small" }),
    ],
    actions: toActions(review, notice),
  };
}

/** A message about something else. */
export function toPlainCard({ subject, text, link }: { subject: string; text: string; link: string }): object {
  return {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    body: [...toLines(subject, { weight: "Bolder", size: "Medium" }), ...toLines(text)],
    actions: [open(link)],
  };
}

/** Runs of text: unlike text blocks they know no Markdown, so what came from a run looks like nothing else. */
function toLines(text: string, look: object = {}): object[] {
  return text.split("\n").map((line, index) => ({
    type: "RichTextBlock",
    spacing: index === 0 ? "Default" : "None",
    inlines: [{ type: "TextRun", text: line === "" ? " " : line, ...look }],
  }));
}

function toActions(review: ShownReview, notice: Notice | undefined): object[] {
  const { id, digest, approve, reject, link } = review;
  const data = { review: id, digest };
  const execute = (verb: string, title: string, style: string) => ({
    type: "Action.Execute",
    verb,
    title,
    style,
    data,
  });
  const approving = execute(APPROVE, "Approve", "positive");
  return [
    ...(notice?.link === undefined ? [] : [{ type: "Action.OpenUrl", title: "Say who I am", url: notice.link }]),
    ...(approve === "once" ? [approving] : []),
    ...(approve === "twice"
      ? [ask("Approve…", toLines("This cannot be undone, or moves money. Approve exactly what is shown?"), approving)]
      : []),
    ...(reject ? [ask("Reject…", [REASON_FIELD], execute(REJECT, "Reject", "destructive"))] : []),
    open(link),
  ];
}

const REASON_FIELD = {
  type: "Input.Text",
  id: REASON,
  label: "Reason",
  isMultiline: true,
  isRequired: true,
  errorMessage: "A rejection needs a reason",
  maxLength: LONGEST_REASON,
};

function ask(title: string, body: object[], action: object): object {
  return { type: "Action.ShowCard", title, card: { type: "AdaptiveCard", body, actions: [action] } };
}

function open(url: string): object {
  return { type: "Action.OpenUrl", title: "Open in OVEN", url };
}
