import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { Bot, BotLanguage, ChatTarget } from "@oven/contract/agent";
import { LANGUAGES, t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { type ReactElement, useState } from "react";
import { type BotDraft, neededPermission, toBody, toDraft } from "./bot-draft.ts";
import { MESSENGERS } from "./bot-words.ts";
import { ConnectionFields } from "./connection-fields.tsx";

const TYPES = [
  { value: "slack-app", label: MESSENGERS["slack-app"] },
  { value: "teams", label: MESSENGERS.teams },
] as const;
const WHO = [
  { value: "linked", label: t("People with a linked account, with their own rights") },
  { value: "everyone", label: t("Everyone in the workspace; others as guests") },
] as const;
const OWN_LANGUAGES: Record<BotLanguage, string> = LANGUAGES;
const LANGUAGE_CHOICES = [
  { value: "setting", label: t("As the setting BOT_LANGUAGE says") },
  // cast: the keys of the record
  ...(Object.keys(OWN_LANGUAGES) as BotLanguage[]).map((value) => ({ value, label: OWN_LANGUAGES[value] })),
] as const;

/** Connects a bot, or changes one. */
export function BotDialog({ bot, onClose }: { bot: Bot | null; onClose: (saved: Bot | null) => void }): ReactElement {
  const [draft, setDraft] = useState(() => toDraft(bot));
  const { data: targets, error } = useAnswer<ChatTarget[]>("chat-targets");
  const change = (more: Partial<BotDraft>) => setDraft((before) => ({ ...before, ...more }));
  const save = async (): Promise<void> => {
    const body = toBody(draft);
    const { json } = await (bot === null
      ? api("bots", { method: "POST", body })
      : api(`bots/${bot.id}`, { method: "PUT", body }));
    onClose(json as Bot); // cast: the shape of the route
  };
  const known = (targets ?? [])
    .filter(({ misfit }) => misfit === null)
    .map(({ kind, id, name }) => ({ value: `${kind}:${id}`, label: name }));
  // A target that is off now stays chosen.
  const isKnown = draft.target === "" || known.some(({ value }) => value === draft.target);
  const choices = isKnown ? known : [...known, { value: draft.target, label: bot?.targetName ?? draft.target }];
  return (
    <FormDialog
      title={bot === null ? t("Connect a bot") : t("Bot “{{name}}”", { name: bot.name })}
      submitLabel={bot === null ? t("Connect") : t("Save")}
      failureTitle={t("The bot was not saved")}
      usable={draft.target !== ""}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      {error ? <ErrorPanel error={error} title={t("Agents and workflows could not be read")} /> : null}
      <TextField
        required
        autoFocus
        label={t("Name")}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <ChoiceField
        label={t("Messenger")}
        value={draft.messenger}
        choices={TYPES}
        onChange={(messenger) => change({ messenger })}
      />
      <ConnectionFields draft={draft} onChange={change} />
      <ChoiceField
        required
        label={t("Agent or workflow that answers")}
        value={draft.target}
        choices={choices}
        onChange={(target) => change({ target })}
      />
      <ChoiceField
        label={t("Who is answered")}
        value={draft.who}
        choices={WHO}
        onChange={(who) => change({ who, permissions: draft.permissions || neededPermission(draft.target) })}
      />
      {draft.who === "linked" ? null : (
        <TextField
          multiline
          minRows={2}
          label={t("What guests may do")}
          helperText={t("One permission a line, such as {{permission}}; you must have each of them yourself.", {
            permission: neededPermission(draft.target),
          })}
          value={draft.permissions}
          onChange={(event) => change({ permissions: event.target.value })}
        />
      )}
      <FormControlLabel
        control={<Switch checked={draft.mentions} onChange={(event) => change({ mentions: event.target.checked })} />}
        label={t("Answer where it is mentioned")}
      />
      <FormControlLabel
        control={<Switch checked={draft.direct} onChange={(event) => change({ direct: event.target.checked })} />}
        label={t("Answer direct messages")}
      />
      <TextField
        multiline
        label={t("Channels where it answers every message")}
        helperText={t("One id a line, such as C0123ABCD or 19:…@thread.tacv2")}
        value={draft.channels}
        onChange={(event) => change({ channels: event.target.value })}
      />
      <TextField
        required
        type="number"
        label={t("Messages of one person in an hour")}
        value={draft.perHour}
        onChange={(event) => change({ perHour: event.target.value })}
      />
      <ChoiceField
        label={t("Language of the bot’s own messages")}
        helperText={t("Such as “Working on it …”. Answers are in the language of the agent.")}
        value={draft.language}
        choices={LANGUAGE_CHOICES}
        onChange={(language) => change({ language })}
      />
      <FormControlLabel
        control={<Switch checked={draft.enabled} onChange={(event) => change({ enabled: event.target.checked })} />}
        label={t("In use")}
      />
    </FormDialog>
  );
}
