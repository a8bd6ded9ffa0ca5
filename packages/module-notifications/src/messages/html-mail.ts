import type { Message } from "./render.ts";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export interface MailPart extends Message {
  /** Address of the page it is about. */
  link: string;
  /** Facts with their names, below the text. */
  details?: readonly { label: string; text: string }[];
  /** What can be done with the mail itself. */
  note?: string;
  /** Instead of the link. They lead to pages and decide nothing. */
  buttons?: readonly { label: string; link: string }[];
}

/** One mail of one or several messages. What came from runs is text in it, never markup. */
export function toHtml(title: string, parts: readonly MailPart[]): string {
  const body = parts.map(
    ({
      subject,
      text,
      link,
      details = [],
      buttons = [],
      note,
    }) => `<div style="padding:16px 0;border-bottom:1px solid #e3e6ea">
<h2 style="margin:0 0 8px;font-size:16px">${escapeHtml(subject)}</h2>
<p style="margin:0 0 12px;white-space:pre-wrap">${escapeHtml(text)}</p>
${toTable(details)}${note === undefined ? "" : `<p style="margin:0 0 12px">${escapeHtml(note)}</p>\n`}${buttons.length === 0 ? `<a href="${escapeHtml(link)}" style="color:#2f5fd0">Open in OVEN</a>` : buttons.map(toButton).join(" ")}
</div>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;font:14px/1.5 system-ui,sans-serif;color:#1b1f24;background:#ffffff">
${body.join("\n")}
<p style="color:#5b6570;font-size:12px">You can change what you are told on your account page.</p>
</body></html>`;
}

function toTable(details: NonNullable<MailPart["details"]>): string {
  if (details.length === 0) return "";
  const rows = details.map(
    ({
      label,
      text,
    }) => `<tr><th style="padding:4px 16px 4px 0;text-align:left;vertical-align:top;color:#5b6570;font-weight:400">${escapeHtml(label)}</th>
<td style="padding:4px 0;white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(text)}</td></tr>`,
  );
  return `<table role="presentation" style="margin:0 0 12px;border-collapse:collapse">${rows.join("\n")}</table>\n`;
}

function toButton({ label, link }: NonNullable<MailPart["buttons"]>[number], index: number): string {
  const colours = index === 0 ? "background:#2f5fd0;color:#ffffff" : "background:#ffffff;color:#2f5fd0";
  return `<a href="${escapeHtml(link)}" style="display:inline-block;margin:0 8px 8px 0;padding:8px 14px;border:1px solid #2f5fd0;border-radius:8px;text-decoration:none;${colours}">${escapeHtml(label)}</a>`;
}

export function toPlainText(parts: readonly MailPart[]): string {
  return parts
    .map(({ subject, text, link, details = [], note }) => {
      const facts = details.map((detail) => `${detail.label}: ${detail.text}`);
      return parts.length === 1
        ? [text, ...(facts.length === 0 ? [] : [facts.join("\n")]), ...(note === undefined ? [] : [note]), link].join(
            "\n\n",
          )
        : [subject, text, ...facts, link].join("\n");
    })
    .join("\n\n");
}
