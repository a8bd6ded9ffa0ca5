import type { NodeKind } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { type KeyboardEvent, type ReactElement, useId, useMemo, useRef, useState } from "react";
import type { FlowLook } from "../look/flow-look.ts";
import { KindIcon } from "../look/kind-icon.tsx";
import { Modal } from "./modal.tsx";

export interface Choice {
  id: string;
  title: string;
  /** Beside the title: a key, an id. */
  hint?: string;
  /** Below the title. */
  text?: string;
  group?: string;
  kind?: NodeKind;
  look?: FlowLook | null;
  /** Why it cannot be chosen now. */
  refused?: string | null;
}

export interface ChooserProps {
  label: string;
  placeholder: string;
  choices: readonly Choice[];
  /** Absent: those whose title, hint or text hold every word. */
  search?: (query: string) => readonly Choice[];
  empty?: string;
  onChoose: (id: string) => void;
  onClose: () => void;
}

function find(choices: readonly Choice[], query: string): readonly Choice[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = choices.filter(({ title, hint = "", text = "", group = "" }) => {
    const all = `${title} ${hint} ${text} ${group}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const named = query.trim().toLowerCase();
  const isNamed = ({ title, hint }: Choice): boolean => title.toLowerCase() === named || hint?.toLowerCase() === named;
  return [...found.filter(isNamed), ...found.filter((choice) => !isNamed(choice))];
}

/** A list to be searched and chosen from: arrows move, Enter takes. Serves commands, nodes, targets and states alike. */
export function Chooser({ label, placeholder, choices, search, empty, onChoose, onClose }: ChooserProps): ReactElement {
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = useMemo(() => (search === undefined ? find(choices, query) : search(query)), [choices, query, search]);
  const current = Math.min(at, found.length - 1);
  const move = (to: number): void => {
    const next = (to + found.length) % Math.max(1, found.length);
    setAt(next);
    list.current?.querySelector(`[data-index="${next}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const choose = (choice: Choice | undefined): void => {
    if (choice === undefined || (choice.refused ?? null) !== null) return;
    onClose();
    onChoose(choice.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") move(current + 1);
    else if (event.key === "ArrowUp") move(current - 1);
    else if (event.key === "Enter") choose(found[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal label={label} onClose={onClose}>
      <input
        className="oven-chooser__search"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${current}`}
        aria-autocomplete="list"
        placeholder={placeholder}
        value={query}
        // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type into it
        autoFocus
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="oven-chooser__list" role="listbox" id={id} aria-label={label} ref={list}>
        {found.length === 0 ? <p className="oven-chooser__empty">{empty ?? t("Nothing like that")}</p> : null}
        {found.map((choice, index) => (
          <ChoiceRow
            key={choice.id}
            choice={choice}
            id={`${id}-${index}`}
            index={index}
            selected={index === current}
            heading={choice.group !== undefined && choice.group !== found[index - 1]?.group ? choice.group : null}
            onPoint={() => setAt(index)}
            onChoose={() => choose(choice)}
          />
        ))}
      </div>
    </Modal>
  );
}

interface ChoiceRowProps {
  choice: Choice;
  id: string;
  index: number;
  selected: boolean;
  heading: string | null;
  onPoint: () => void;
  onChoose: () => void;
}

function ChoiceRow({ choice, id, index, selected, heading, onPoint, onChoose }: ChoiceRowProps): ReactElement {
  const refused = choice.refused ?? null;
  return (
    <>
      {heading === null ? null : (
        <div className="oven-chooser__group" role="presentation">
          {heading}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the search field above takes the keys */}
      <div
        role="option"
        tabIndex={-1}
        id={id}
        data-index={index}
        className="oven-chooser__option"
        aria-selected={selected}
        aria-disabled={refused !== null}
        onPointerMove={onPoint}
        onClick={onChoose}
      >
        {choice.kind === undefined ? null : <KindIcon kind={choice.kind} look={choice.look} size={18} />}
        <span className="oven-chooser__words">
          <span className="oven-chooser__title">{choice.title}</span>
          {(refused ?? choice.text) ? <span className="oven-chooser__text">{refused ?? choice.text}</span> : null}
        </span>
        {choice.hint === undefined ? null : <kbd>{choice.hint}</kbd>}
      </div>
    </>
  );
}
