import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import TextField, { type TextFieldProps } from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import { findState, getAt, removeAt, type StatePlace, setAt } from "@oven/scope";
import { type ReactElement, type RefObject, useDeferredValue, useMemo, useState, useSyncExternalStore } from "react";
import { countReferences } from "../../document/count-references.ts";
import { renameState } from "../../document/operations/rename-state.ts";
import type { EditorStore } from "../../editor/editor-store.ts";

const toText = (value: Json | undefined): string => (typeof value === "string" ? value : "");

export interface IdentityFieldsProps {
  store: EditorStore;
  place: StatePlace;
  label: RefObject<HTMLInputElement | null>;
}

/** What a state is called. */
export function IdentityFields({ store, place, label }: IdentityFieldsProps): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 1.5 }}>
      <Box sx={{ display: "grid", gap: 1, gridTemplateColumns: "minmax(0, 3fr) minmax(0, 2fr)", alignItems: "start" }}>
        <TextOfState store={store} place={place} name="label" inputRef={label} placeholder={place.id} />
        <IdField key={place.id} store={store} stateId={place.id} />
      </Box>
      <Description key={place.id} store={store} place={place} />
    </Box>
  );
}

/** A link until there is one: few steps have it. */
function Description({ store, place }: Pick<IdentityFieldsProps, "store" | "place">): ReactElement {
  const [isAsked, setAsked] = useState(false);
  if (isAsked || toText(place.state.description) !== "")
    return <TextOfState store={store} place={place} name="description" multiline maxRows={4} autoFocus={isAsked} />;
  return (
    <Link component="button" type="button" variant="body2" onClick={() => setAsked(true)} sx={{ justifySelf: "start" }}>
      {t("Add a description")}
    </Link>
  );
}

interface TextOfStateProps
  extends Pick<TextFieldProps, "inputRef" | "placeholder" | "multiline" | "maxRows" | "autoFocus"> {
  store: EditorStore;
  place: StatePlace;
  name: "label" | "description";
}

function TextOfState({ store, place, name, ...field }: TextOfStateProps): ReactElement {
  const { id } = place;
  const text = useSyncExternalStore(store.subscribe, () => {
    const at = findState(store.document, id)?.address;
    return at === undefined ? undefined : getAt(store.typed, [...at, name]);
  });
  const type = (next: string): void =>
    store.type({
      key: `${id}.${name}`,
      label: t("Change the {{name}} of {{id}}", { name, id }),
      edit: (document) => {
        const at = findState(document, id)?.address;
        if (at === undefined) return document;
        return next === "" ? removeAt(document, [...at, name]) : setAt(document, [...at, name], next);
      },
    });
  return (
    <TextField
      {...field}
      label={name === "label" ? t("Label") : t("Description")}
      value={toText(text)}
      onChange={(event) => type(event.target.value)}
      onBlur={() => store.seal()}
    />
  );
}

/** Renames when it is left, or on Enter; what refers to the state follows. */
function IdField({ store, stateId }: { store: EditorStore; stateId: string }): ReactElement {
  const [name, setName] = useState(stateId);
  const [reason, setReason] = useState<string | null>(null);
  const [isFocused, setFocused] = useState(false);
  // The whole definition is looked through: after what is typed has been shown.
  const document = useDeferredValue(useSyncExternalStore(store.subscribe, () => store.document));
  const places = useMemo(() => countReferences(document, stateId), [document, stateId]);
  const rename = (): void => {
    if (name === stateId) return;
    const result = renameState(store.document, stateId, name);
    if ("reason" in result) setReason(result.reason);
    else if (store.apply(t("Rename {{stateId}}", { stateId }), result))
      store.say(
        places === 0
          ? t("{{stateId}} is now {{name}}", { stateId, name })
          : t("{{stateId}} is now {{name}}; {{count}} places changed with it", { stateId, name, count: places }),
      );
  };
  return (
    <TextField
      label={t("Id")}
      value={name}
      error={reason !== null}
      helperText={reason ?? (isFocused ? toHint(places) : undefined)}
      onFocus={() => setFocused(true)}
      onChange={(event) => {
        setName(event.target.value);
        setReason(null);
      }}
      onBlur={() => {
        setFocused(false);
        rename();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") rename();
      }}
      slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: "off" } }}
    />
  );
}

function toHint(places: number): string {
  return places === 0
    ? t("Nothing refers to it")
    : t("{{count}} places refer to it and follow when it changes", { count: places });
}
