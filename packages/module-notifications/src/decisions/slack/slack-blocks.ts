import { escapeSlack } from "../../channels/escape-slack.ts";
import { shorten } from "../../messages/shorten.ts";
import type { ShownReview } from "../shown-review.ts";

/** The ids of buttons and of the window that asks for a reason. */
export const APPROVE = "oven-approve";
export const REJECT = "oven-reject";
export const REASON = "oven-reason";
const OPEN = "oven-open";

/** https://docs.slack.dev/reference/block-kit/blocks */
const LONGEST_TEXT = 2_900;
const LONGEST_HEADER = 150;
const LONGEST_FIELD = 1_900;
const LONGEST_REASON = 3_000;
const SHOWN_DIGEST = 16;

/** What a button carries back: which review, and all of what was proposed, by its digest. */
export interface ButtonValue {
  review: number;
  digest: string;
}

// Plain text: what came from a run mentions no one, links nowhere and looks like nothing else.
const plain = (text: string, longest = LONGEST_TEXT) => ({
  type: "plain_text",
  text: shorten(text, longest),
  emoji: false,
});
const section = (text: string) => ({ type: "section", text: plain(text) });

/** A message about a review: what is proposed, who may decide, and the buttons; or how it ended, without buttons. */
export function toReviewMessage(words: { subject: string; text: string }, review: ShownReview): object {
  const { facts, proposal, why, note, outcome, digest } = review;
  const blocks = [
    { type: "header", text: plain(words.subject, LONGEST_HEADER) },
    ...(outcome === null ? [] : [section(outcome)]),
    section(words.text),
    ...(`${words.subject}\n${words.text}`.includes(review.title) ? [] : [section(review.title)]),
    ...(facts.length === 0
      ? []
      : [{ type: "section", fields: facts.map(({ label, text }) => plain(`${label}\n${text}`, LONGEST_FIELD)) }]),
    ...toParts(`Proposed\n${proposal}`).map(section),
    ...(why === "" ? [] : [section(`Why\n${why}`)]),
    ...(note === null ? [] : [section(note)]),
    { type: "context", elements: [plain(`Review ${review.id} · digest ${digest.slice(0, SHOWN_DIGEST)}`)] },
    { type: "actions", elements: toButtons(review) },
  ];
  return { text: escapeSlack(outcome === null ? words.subject : `${words.subject}: ${outcome}`), blocks };
}

/** A message about something else. */
export function toPlainMessage({ subject, text, link }: { subject: string; text: string; link: string }): object {
  const open = { type: "button", action_id: OPEN, text: plain("Open in OVEN"), url: link };
  return {
    text: escapeSlack(subject),
    blocks: [
      { type: "header", text: plain(subject, LONGEST_HEADER) },
      section(text),
      { type: "actions", elements: [open] },
    ],
  };
}

function toButtons(review: ShownReview): object[] {
  const { id, digest, approve, reject, link } = review;
  const value = JSON.stringify({ review: id, digest } satisfies ButtonValue);
  const button = (action_id: string, text: string) => ({ type: "button", action_id, text: plain(text), value });
  return [
    ...(approve === null
      ? []
      : [{ ...button(APPROVE, "Approve"), style: "primary", ...(approve === "twice" ? { confirm: CONFIRM } : {}) }]),
    ...(reject ? [{ ...button(REJECT, "Reject…"), style: "danger" }] : []),
    { type: "button", action_id: OPEN, text: plain("Open in OVEN"), url: link },
  ];
}

const CONFIRM = {
  title: plain("Approve?"),
  text: plain("This cannot be undone, or moves money. Approve exactly what the message shows?"),
  confirm: plain("Approve"),
  deny: plain("Cancel"),
};

/** The window that asks why. @param carried what comes back with the answer */
export function toReasonWindow(title: string, carried: string): object {
  return {
    type: "modal",
    callback_id: REJECT,
    private_metadata: carried,
    title: plain("Reject"),
    submit: plain("Reject"),
    close: plain("Cancel"),
    blocks: [
      section(title),
      {
        type: "input",
        block_id: REASON,
        label: plain("Reason"),
        element: { type: "plain_text_input", action_id: REASON, multiline: true, max_length: LONGEST_REASON },
      },
    ],
  };
}

/** In place of the window, when the decision was not taken. */
export function toRefusalWindow(why: string): object {
  return { type: "modal", title: plain("Not decided"), close: plain("Close"), blocks: [section(why)] };
}

function toParts(text: string): string[] {
  const characters = [...text];
  const parts: string[] = [];
  // A character beyond the basic plane is two units, and must not be cut.
  for (let from = 0; from < characters.length; from += LONGEST_TEXT / 2)
    parts.push(characters.slice(from, from + LONGEST_TEXT / 2).join(""));
  return parts;
}
