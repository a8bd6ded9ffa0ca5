import type { Embed, EmbedSettings } from "@oven/contract/embed";

/** What is set on the page; the origins as one text, a line each. */
export type EmbedDraft = Omit<EmbedSettings, "origins" | "target"> & {
  origins: string;
  /** `agent:3`; empty: none is chosen. */
  target: string;
};

export const NEW_EMBED: EmbedDraft = {
  name: "",
  enabled: true,
  mode: "chat",
  target: "",
  input: {},
  origins: "",
  theme: { accent: "#3056d3", scheme: "auto", corner: "right", title: "Chat", greeting: "", placeholder: "" },
  limits: { visitorPerHour: 30, embedPerHour: 1_000, messageLength: 2_000, conversationHours: 24 },
  form: { submitLabel: "", thanks: "", showAnswer: false },
  visitorDecides: false,
};

export function toDraft(embed: Embed): EmbedDraft {
  const {
    id: _id,
    publicId: _public,
    lastError: _error,
    createdAt: _created,
    updatedAt: _updated,
    ...settings
  } = embed;
  const { kind, id } = embed.target;
  return { ...settings, origins: embed.origins.join("\n"), target: `${kind}:${id}` };
}

/** What the API takes. */
export function toSettings(draft: EmbedDraft): EmbedSettings {
  const [kind = "", id = ""] = draft.target.split(":");
  const origins = draft.origins.split(/\s+/).filter((origin) => origin !== "");
  // cast: the choices of the page have these kinds only
  return { ...draft, origins, target: { kind: kind as EmbedSettings["target"]["kind"], id: Number(id) } };
}
