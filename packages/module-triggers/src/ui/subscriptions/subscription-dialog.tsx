import TextField from "@mui/material/TextField";
import type { EventType } from "@oven/contract/system";
import type { EventSubscription } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { PickManyInput } from "@oven/ui/components/pick/pick-input.tsx";
import type { PickChoice } from "@oven/ui/components/pick/use-choices.ts";
import { SecretField } from "@oven/ui/components/secret-field.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { type ReactElement, useId, useState } from "react";
import { HeaderRows } from "./header-rows.tsx";
import { NEW_SUBSCRIPTION, type SubscriptionDraft, toBody, toDraft } from "./subscription-draft.ts";

/** The events that modules emit, and everything below a part of a name. Names of events of one's own are typed. */
function useEventChoices(): PickChoice[] {
  const names = useAnswer<EventType[]>("event-types").data ?? [];
  const patterns = new Set(names.map(({ name }) => `${name.split(".").slice(0, -1).join(".")}.*`));
  return [
    ...[...patterns].sort().map((value) => ({ value, label: value, detail: "", group: t("Several") })),
    ...names.map(({ name, description }) => ({ value: name, label: name, detail: description, group: t("Events") })),
  ];
}

/** Makes an event subscription, or changes one. */
export function SubscriptionDialog({
  subscription,
  onClose,
}: {
  subscription: EventSubscription | null;
  onClose: (saved: boolean, made?: EventSubscription) => void;
}): ReactElement {
  const [draft, setDraft] = useState<SubscriptionDraft>(
    subscription === null ? NEW_SUBSCRIPTION : toDraft(subscription),
  );
  const change = (more: Partial<SubscriptionDraft>): void => setDraft((current) => ({ ...current, ...more }));
  const id = useId();
  const choices = useEventChoices();
  const save = async (): Promise<void> => {
    const { enabled, ...body } = toBody(draft);
    const { json } =
      subscription === null
        ? await api("event-subscriptions", { method: "POST", body: { ...body, enabled } })
        : await api(`event-subscriptions/${subscription.id}`, { method: "PUT", body });
    onClose(true, json as EventSubscription); // cast: the answer of both routes
  };
  return (
    <FormDialog
      title={
        subscription === null
          ? t("New event subscription")
          : t("Event subscription “{{name}}”", { name: subscription.name })
      }
      submitLabel={t("Save the subscription")}
      failureTitle={t("The subscription was not saved")}
      usable={draft.events.length > 0 && draft.secret !== ""}
      onSubmit={save}
      onClose={() => onClose(false)}
    >
      <TextField
        fullWidth
        autoFocus
        required
        label={t("Name")}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        required
        type="url"
        label={t("Address that events are posted to")}
        placeholder="https://example.com/oven"
        value={draft.url}
        onChange={(event) => change({ url: event.target.value })}
      />
      <PickManyInput
        id={id}
        label={t("Which events")}
        helperText={t("Pick some, or type a name such as orders.paid or orders.* and press Enter.")}
        choices={choices}
        value={draft.events}
        onChange={(events) => change({ events })}
      />
      <SecretField
        required
        label={t("Secret that signs them")}
        helperText={t(
          "A secret that is bound to no host. The receiver checks the signature with it (Standard Webhooks).",
        )}
        value={draft.secret}
        onChange={(secret) => change({ secret })}
      />
      <HeaderRows headers={draft.headers} onChange={(headers) => change({ headers })} />
    </FormDialog>
  );
}
