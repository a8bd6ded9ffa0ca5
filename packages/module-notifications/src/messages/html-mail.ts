import type { Message } from "./render.ts";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

export interface MailPart extends Message {
  /** Address of the page it is about. */
  link: string;
}

/** One mail of one or several messages. What came from runs is text in it, never markup. */
export function toHtml(title: string, parts: readonly MailPart[]): string {
  const body = parts.map(
    ({ subject, text, link }) => `<div style="padding:16px 0;border-bottom:1px solid #e3e6ea">
<h2 style="margin:0 0 8px;font-size:16px">${escapeHtml(subject)}</h2>
<p style="margin:0 0 12px;white-space:pre-wrap">${escapeHtml(text)}</p>
<a href="${escapeHtml(link)}" style="color:#2f5fd0">Open in OVEN</a>
</div>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;font:14px/1.5 system-ui,sans-serif;color:#1b1f24;background:#ffffff">
${body.join("\n")}
<p style="color:#5b6570;font-size:12px">You can change what you are told on your account page.</p>
</body></html>`;
}

export function toPlainText(parts: readonly MailPart[]): string {
  return parts
    .map(({ subject, text, link }) => (parts.length === 1 ? `${text}\n\n${link}` : `${subject}\n${text}\n${link}`))
    .join("\n\n");
}
