import { t } from "@oven/i18n";
import { type FormEvent, type ReactElement, useId, useState } from "react";
import { Modal } from "./modal.tsx";

export interface TextDialogProps {
  label: string;
  field: string;
  hint: string;
  submit: string;
  /** Why the text cannot be taken; null when it can. */
  refuse: (text: string) => string | null;
  onSubmit: (text: string) => void;
  onClose: () => void;
}

/** Asks for one line of text. */
export function TextDialog({ label, field, hint, submit, refuse, onSubmit, onClose }: TextDialogProps): ReactElement {
  const [text, setText] = useState("");
  const id = useId();
  const reason = refuse(text);
  const shown = text === "" ? null : reason;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (reason !== null) return;
    onClose();
    onSubmit(text);
  };
  return (
    <Modal label={label} onClose={onClose}>
      <form className="oven-form" onSubmit={send}>
        <label>
          {field}
          <input
            // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type into it
            autoFocus
            value={text}
            spellCheck={false}
            aria-invalid={shown !== null}
            aria-describedby={id}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <p id={id} data-refused={shown !== null}>
          {shown ?? hint}
        </p>
        <div className="oven-form__foot">
          <button type="button" className="oven-button" onClick={onClose}>
            {t("Cancel")}
          </button>
          <button type="submit" className="oven-button" data-main="true" disabled={reason !== null}>
            {submit}
          </button>
        </div>
      </form>
    </Modal>
  );
}
