import { t } from "@oven/i18n";
import type { ReactElement } from "react";

export interface EmptyCanvasProps {
  /** Whether it is open yet what starts the workflow; else the first step is asked for. */
  asksStart: boolean;
  onByHand: () => void;
  /** A trigger of a kind is wanted; null: the person chooses which. */
  onTrigger: (type: string | null) => void;
  onAdd: () => void;
}

/** Stands where nothing is drawn yet: first what starts the workflow, then what comes next. */
export function EmptyCanvas({ asksStart, onByHand, onTrigger, onAdd }: EmptyCanvasProps): ReactElement {
  if (asksStart)
    return (
      <section className="oven-empty" aria-label={t("What starts it?")}>
        <p>{t("What starts it?")}</p>
        <div className="oven-starts">
          <StartButton
            title={t("Somebody, by hand")}
            text={t("From the dashboard, a chat or the API")}
            onClick={onByHand}
          />
          <StartButton
            title={t("A schedule")}
            text={t("Every morning, each Monday, or once")}
            onClick={() => onTrigger("schedule")}
          />
          <StartButton
            title={t("Something that arrives")}
            text={t("A webhook, a form, an e-mail, an event")}
            onClick={() => onTrigger(null)}
          />
        </div>
        <p className="oven-empty__hint">{t("It can be changed at any time, and there can be several.")}</p>
      </section>
    );
  return (
    <section className="oven-empty" aria-label={t("What comes next?")}>
      <p className="oven-empty__hint">{t("Nothing here yet.")}</p>
      <p>{t("What comes next?")}</p>
      <button type="button" className="oven-button" data-main="true" onClick={onAdd}>
        {t("Add the first state")}
      </button>
      <p className="oven-empty__hint">{t("Or drag one from the palette, or paste a workflow.")}</p>
    </section>
  );
}

function StartButton({ title, text, onClick }: { title: string; text: string; onClick: () => void }): ReactElement {
  return (
    <button type="button" className="oven-start-choice" onClick={onClick}>
      <strong>{title}</strong>
      <span>{text}</span>
    </button>
  );
}
