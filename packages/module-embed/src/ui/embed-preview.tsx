import Box from "@mui/material/Box";
import { mountEmbed } from "@oven/client/embed";
import type { EmbedLook, EmbedMessage, EmbedSettings } from "@oven/contract/embed";
import { t } from "@oven/i18n";
import { type ReactElement, useEffect, useRef } from "react";

const SAID: EmbedMessage = {
  id: 1,
  message: t("Where is my order?"),
  answer: t("It arrives tomorrow."),
  status: "completed",
  questions: [],
  createdAt: "",
};
/** Of a form whose workflow's fields the page does not know. */
const FIELDS: EmbedLook["fields"] = [
  {
    ...{ name: "field", label: t("A field of the input"), description: null, required: false, control: "text" },
    ...{ choices: [], choiceLabels: [], longAsText: false, initial: null },
  },
];

/** The embed as pages show it, with words that no agent wrote: nothing is sent. */
export function EmbedPreview({ settings }: { settings: Pick<EmbedSettings, "mode" | "theme" | "form"> }): ReactElement {
  const place = useRef<HTMLDivElement>(null);
  const text = JSON.stringify(settings);
  useEffect(() => {
    const container = place.current;
    if (container === null) return;
    // cast: what was put in above
    const { mode, theme, form } = JSON.parse(text) as typeof settings;
    const source = {
      look: async () => ({ mode, theme, form, messageLength: 2_000, fields: mode === "form" ? FIELDS : [] }),
      messages: async () => [SAID],
      say: async (said: { message: string } | { values: object }) => ({
        ...SAID,
        ...("message" in said ? { message: said.message } : {}),
      }),
      follow: async () => {},
      decide: async () => SAID,
      restart: async () => {},
    };
    const mounted = mountEmbed({ source, mode: "inline", container });
    return () => {
      void mounted.then((remove) => remove());
    };
  }, [text]);
  return <Box ref={place} data-testid="embed-preview" />;
}
