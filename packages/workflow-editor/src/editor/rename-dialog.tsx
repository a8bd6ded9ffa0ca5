import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { findState, getAt, removeAt, setAt } from "@oven/scope";
import { type FormEvent, type ReactElement, useState } from "react";
import type { Edit, Refusal } from "../document/edit.ts";
import { renameState } from "../document/operations/rename-state.ts";
import { refuseStateId, takenIds } from "../document/state-ids.ts";
import { Modal } from "./modal.tsx";

export interface RenameDialogProps {
  document: JsonObject;
  id: string;
  onRename: (result: Edit | Refusal) => void;
  onClose: () => void;
}

/** The label that is shown, and the id that expressions use; what refers to the id follows it. */
export function RenameDialog({ document, id, onRename, onClose }: RenameDialogProps): ReactElement {
  const place = findState(document, id);
  const shown = getAt(place?.state, ["label"]);
  const [label, setLabel] = useState(typeof shown === "string" ? shown : "");
  const [name, setName] = useState(id);
  const taken = takenIds(document);
  taken.delete(id);
  const reason = refuseStateId(name, taken);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason !== null || place === undefined) return;
    const address = [...place.address, "label"];
    const labelled = label.trim() === "" ? removeAt(document, address) : setAt(document, address, label.trim());
    onClose();
    onRename(name === id ? { document: labelled } : renameState(labelled, id, name));
  };
  return (
    <Modal label={t("Rename {{id}}", { id })} onClose={onClose}>
      <form className="oven-form" onSubmit={onSubmit}>
        <label>
          {t("Label")}
          {/* biome-ignore lint/a11y/noAutofocus: the dialog is opened to type into it */}
          <input autoFocus value={label} placeholder={id} onChange={(event) => setLabel(event.target.value)} />
        </label>
        <label>
          {t("Id")}
          <input
            value={name}
            spellCheck={false}
            aria-invalid={reason !== null}
            aria-describedby="oven-rename-reason"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <p id="oven-rename-reason" data-refused={reason !== null}>
          {reason ?? t("Lines and expressions that name it follow.")}
        </p>
        <div className="oven-form__foot">
          <button type="button" className="oven-button" onClick={onClose}>
            {t("Cancel")}
          </button>
          <button type="submit" className="oven-button" data-main="true" disabled={reason !== null}>
            {t("Rename")}
          </button>
        </div>
      </form>
    </Modal>
  );
}
