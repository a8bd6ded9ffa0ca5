import { Fragment, type ReactElement, type ReactNode } from "react";

const TOKEN = /("(?:[^"\\\n]|\\.)*")(\s*:)?|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b/g;
/** Beyond this the colours would cost more than they help. */
const LARGEST = 200_000;

function toColour(text: string, isKey: boolean): string {
  if (isKey) return "var(--oven-code-key)";
  if (text.startsWith('"')) return /\$\.|\{\{/.test(text) ? "var(--oven-code-template)" : "var(--oven-code-text)";
  return /^[-\d]/.test(text) ? "var(--oven-code-number)" : "var(--oven-code-constant)";
}

/** The text with keys, texts, numbers and references coloured. */
export function Highlighted({ text }: { text: string }): ReactElement {
  if (text.length > LARGEST) return <>{text}</>;
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match;
    const token = quoted ?? whole;
    parts.push(<Fragment key={`t${at}`}>{text.slice(at, match.index)}</Fragment>);
    parts.push(
      <span key={`c${match.index}`} style={{ color: toColour(token, colon !== undefined) }}>
        {token}
      </span>,
    );
    at = match.index + token.length;
  }
  parts.push(<Fragment key="rest">{text.slice(at)}</Fragment>);
  return <>{parts}</>;
}
