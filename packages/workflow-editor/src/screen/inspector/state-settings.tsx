import { t } from "@oven/i18n";
import { getAt, type StatePlace } from "@oven/scope";
import type { ReactElement } from "react";
import { outletsOf } from "../../inspector/branches.ts";
import { canBeUndone } from "../../inspector/undo-steps.ts";
import { BranchList, isChoice } from "./branch-list.tsx";
import { ACTION_FIELDS, FINAL_FIELDS, HISTORY_FIELDS, INVOKE_FIELDS, LOOP_FIELDS } from "./definition-fields.ts";
import { Fold } from "./fold.tsx";
import { UndoChoice } from "./undo-choice.tsx";
import { ObjectForm, type Subject } from "./value-form.tsx";

/** What a state has beside its node: loop, end, ways on, attempts, actions. */
export function StateSettings({ place, ...subject }: Subject & { place: StatePlace }): ReactElement {
  const { state } = place;
  const loop = getAt(state, ["loop"]);
  const loopFields = LOOP_FIELDS[getAt(loop, ["type"]) === "while" ? "while" : "forEach"];
  const src = getAt(state, ["invoke", "src"]);
  // A node that only waits refuses a time-out of its work; one that is set is shown, so that it can be taken away.
  const isWait =
    subject.nodeTypes?.find(({ id }) => id === src)?.isWait === true &&
    getAt(state, ["invoke", "timeoutMs"]) === undefined;
  const invokeFields = isWait ? INVOKE_FIELDS.filter(({ name }) => name !== "timeoutMs") : INVOKE_FIELDS;
  const leads = state.type !== "final" && state.type !== "history";
  return (
    <>
      {loop === undefined ? null : (
        <Fold title={t("Loop")} open>
          <ObjectForm {...subject} at={["loop"]} fields={loopFields} value={loop} />
        </Fold>
      )}
      {state.type === "final" ? <ObjectForm {...subject} at={[]} fields={FINAL_FIELDS} value={state} /> : null}
      {state.type === "history" ? (
        <ObjectForm {...subject} at={[]} fixed fields={HISTORY_FIELDS} value={state} />
      ) : null}
      {leads ? (
        <Fold
          title={t("Branches ({{reduce}})", {
            reduce: outletsOf(place).reduce((sum, { branches }) => sum + branches.length, 0),
          })}
          open={isChoice(place)}
        >
          <BranchList {...subject} place={place} />
        </Fold>
      ) : null}
      {state.invoke === undefined ? null : (
        <Fold title={t("Attempts and time-out")}>
          <ObjectForm {...subject} at={["invoke"]} fixed fields={invokeFields} value={state.invoke} />
        </Fold>
      )}
      {canBeUndone(subject.store.document, place) ? (
        <Fold title={t("When the run fails later")} open={state.undo !== undefined}>
          <UndoChoice {...subject} place={place} />
        </Fold>
      ) : null}
      <Fold title={t("Actions")}>
        <ObjectForm {...subject} at={[]} fields={ACTION_FIELDS} value={state} />
      </Fold>
    </>
  );
}
