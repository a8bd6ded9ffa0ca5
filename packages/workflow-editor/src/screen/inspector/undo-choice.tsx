import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import type { StatePlace } from "@oven/scope";
import type { ReactElement } from "react";
import { labelOf, labelsOf } from "../../document/label-of.ts";
import { setUndo, undoStepsFor } from "../../inspector/undo-steps.ts";
import type { Subject } from "./value-form.tsx";

/** No id of a state can be this. */
const NEW_STEP = "+";

/** Which step undoes this one when the run fails or is cancelled later. */
export function UndoChoice({ place, store, onNewStep }: Subject & { place: StatePlace }): ReactElement {
  const undo = typeof place.state.undo === "string" ? place.state.undo : "";
  const steps = undoStepsFor(store.document, place);
  const labels = labelsOf(store.document, steps);
  return (
    <>
      <Box sx={{ color: "text.secondary", fontSize: 12 }}>
        {t(
          "When the run fails or is cancelled after this step, that one undoes it: a refund, a cancellation. It reads what is undone as $.undo.output, in a loop also $.undo.item.",
        )}
      </Box>
      <TextField
        select
        value={undo}
        onChange={(event) => {
          const { value } = event.target;
          if (value === NEW_STEP) {
            onNewStep?.({ stateId: place.id, at: ["undo"], index: 0 });
            return;
          }
          store.flush();
          store.apply(t("Set what undoes {{label}}", { label: labelOf(store.document, place.id) }), {
            document: setUndo(store.document, place.id, value === "" ? null : value),
          });
        }}
        slotProps={{ select: { native: true }, htmlInput: { "aria-label": t("Undone by") } }}
      >
        <option value="">{t("Nothing undoes it")}</option>
        {undo === "" || steps.includes(undo) ? null : <option value={undo}>{undo}</option>}
        {steps.map((id) => (
          <option key={id} value={id}>
            {labels.get(id)}
          </option>
        ))}
        {onNewStep === undefined ? null : <option value={NEW_STEP}>{t("New step…")}</option>}
      </TextField>
    </>
  );
}
