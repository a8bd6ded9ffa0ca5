import type { Json } from "@oven/contract";
import { useState } from "react";

/** What is shown of a value while it is typed: `0.` stays `0.` though the value is 0, until the value is another one. */
export function useDraftText(
  value: Json | undefined,
  toText: (value: Json | undefined) => string,
  read: (text: string) => Json | undefined,
): [text: string, type: (text: string) => Json | undefined] {
  const [draft, setDraft] = useState<string | null>(null);
  const isCurrent = draft !== null && JSON.stringify(read(draft)) === JSON.stringify(value);
  return [
    isCurrent ? draft : toText(value),
    (text) => {
      setDraft(text);
      return read(text);
    },
  ];
}
