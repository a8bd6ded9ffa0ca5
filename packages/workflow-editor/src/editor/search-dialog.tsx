import { t } from "@oven/i18n";
import { findState } from "@oven/scope";
import { type KeyboardEvent, type ReactElement, useId, useMemo, useRef, useState } from "react";
import { type Place, replaceHits, replacePlaces, searchDefinition } from "../document/search.ts";
import type { GraphNode } from "../graph/graph-model.ts";
import { nodesById } from "../layout/placement.ts";
import type { CommandContext } from "./command-context.ts";
import { Modal } from "./modal.tsx";

/** More than a person reads; the rest is only counted, and replaced. */
const SHOWN = 200;
const AROUND = 28;

/** States by name, type and any text in them: Enter goes there; what is found can be replaced, in one step of undo. */
export function SearchDialog({ context, onClose }: { context: CommandContext; onClose: () => void }): ReactElement {
  const { store, drawn } = context;
  const [query, setQuery] = useState("");
  const [by, setBy] = useState("");
  const [exact, setExact] = useState(false);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const [refused, setRefused] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const titles = useMemo(() => findTitles(drawn.full.nodes, query), [drawn, query]);
  const texts = useMemo(() => searchDefinition(drawn.document, query, exact), [drawn, query, exact]);
  // What is called exactly that comes first: most look for a state they know.
  const places = useMemo(() => {
    const isNamed = ({ what, text, field }: Place): boolean =>
      (what === "id" || field === "label") && text.toLowerCase() === query.trim().toLowerCase();
    const all = [...texts, ...titles];
    return [...all.filter(isNamed), ...all.filter((place) => !isNamed(place))].slice(0, SHOWN);
  }, [titles, texts, query]);
  const chosen = texts.filter(({ key, what }) => what !== "node" && !left.has(key));
  const current = Math.min(at, places.length - 1);
  const go = (place: Place | undefined): void => {
    if (place === undefined) return;
    onClose();
    if (place.stateId === null) store.select([]);
    else context.show(place.stateId);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") go(places[current]);
    else if (step !== 0 && places.length > 0) {
      const next = (current + step + places.length) % places.length;
      setAt(next);
      list.current?.children[next]?.scrollIntoView({ block: "nearest" });
    } else return;
    event.preventDefault();
  };
  const replace = (): void => {
    if (chosen.length === 0) return;
    const result = replacePlaces(store.document, chosen, by);
    if ("reason" in result) {
      setRefused(result.reason);
      return;
    }
    onClose();
    store.apply(t("Replace “{{query}}” in {{count}} places", { query, count: chosen.length }), result);
    store.say(t("Replaced in {{count}} places", { count: chosen.length }));
  };
  return (
    <Modal label={t("Find and replace")} onClose={onClose}>
      <div className="oven-search">
        <input
          className="oven-chooser__search"
          role="combobox"
          aria-label={t("Find")}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={places.length === 0 ? undefined : `${id}-${current}`}
          placeholder={t("Find a state, a type or a text")}
          value={query}
          // biome-ignore lint/a11y/noAutofocus: the dialog is opened to type into it
          autoFocus
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
            setLeft(new Set());
            setRefused(null);
          }}
          onKeyDown={onKeyDown}
        />
        <div className="oven-search__replace">
          <input
            aria-label={t("Replace by")}
            placeholder={t("Replace by")}
            value={by}
            onChange={(event) => {
              setBy(event.target.value);
              setRefused(null);
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter") replace();
            }}
          />
          <label>
            <input type="checkbox" checked={exact} onChange={(event) => setExact(event.target.checked)} />
            {t("Match case")}
          </label>
          <button type="button" className="oven-button" disabled={chosen.length === 0} onClick={replace}>
            {t("Replace in {{places}}", { places: chosen.length })}
          </button>
        </div>
        <p role="status" data-refused={refused !== null}>
          {refused ?? toCount(query, titles.length + texts.length)}
        </p>
      </div>
      <ul className="oven-chooser__list oven-search__list" id={id} ref={list} aria-label={t("Places")}>
        {places.map((place, index) => (
          <PlaceRow
            key={place.key}
            place={place}
            id={`${id}-${index}`}
            node={place.stateId === null ? undefined : nodesById(drawn.full).get(place.stateId)}
            nested={place.stateId !== null && findState(drawn.document, place.stateId)?.parent !== undefined}
            selected={index === current}
            by={by === "" || place.what === "node" ? null : by}
            chosen={!left.has(place.key)}
            onChoose={(is) => {
              const next = new Set(left);
              if (is) next.delete(place.key);
              else next.add(place.key);
              setLeft(next);
            }}
            onGo={() => go(place)}
          />
        ))}
      </ul>
    </Modal>
  );
}

function toCount(query: string, count: number): string {
  if (query === "") return t("Enter goes to a place; Tab leads to replacing.");
  return count === 0 ? t("Nothing like that") : `${count} ${count === 1 ? "place" : "places"}`;
}

/** By what the card calls a node, which is nowhere in the definition. */
function findTitles(nodes: readonly GraphNode[], query: string): Place[] {
  const sought = query.trim().toLowerCase();
  if (sought === "") return [];
  return nodes.flatMap(({ id, shape, title, address }): Place[] => {
    const start = title.toLowerCase().indexOf(sought);
    if (start < 0 || !["state", "group", "history"].includes(shape)) return [];
    const hits = [{ start, end: start + sought.length }];
    return [{ key: t("title {{id}}", { id }), stateId: id, what: "node", address, field: "type", text: title, hits }];
  });
}

interface PlaceRowProps {
  place: Place;
  id: string;
  node: GraphNode | undefined;
  nested: boolean;
  selected: boolean;
  /** What would stand there; null: nothing is replaced. */
  by: string | null;
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
  onGo: () => void;
}

function PlaceRow({ place, id, node, nested, selected, by, chosen, onChoose, onGo }: PlaceRowProps): ReactElement {
  const name = place.stateId === null ? "Workflow" : (node?.label ?? place.stateId);
  const field = place.what === "id" ? "id" : place.field;
  return (
    <li className="oven-chooser__option" id={id} aria-current={selected} data-nested={nested}>
      {by === null ? null : (
        <input
          type="checkbox"
          aria-label={t("Replace in {{name}}, {{field}}", { name, field })}
          checked={chosen}
          onChange={(event) => onChoose(event.target.checked)}
        />
      )}
      <button type="button" className="oven-search__place" onClick={onGo}>
        <span className="oven-chooser__title">
          {name} <span className="oven-search__field">{field}</span>
        </span>
        <Excerpt place={place} by={chosen ? by : null} />
      </button>
    </li>
  );
}

/** The first hit with what is around it, and what it would become. */
function Excerpt({ place, by }: { place: Place; by: string | null }): ReactElement | null {
  const { text, hits } = place;
  const [first] = hits;
  if (first === undefined) return null;
  const before = text.slice(Math.max(0, first.start - AROUND), first.start);
  const after = text.slice(first.end, first.end + AROUND);
  const more = hits.length > 1 ? ` · ${hits.length} times` : "";
  return (
    <span className="oven-chooser__text" title={by === null ? text : replaceHits(place, by)}>
      {first.start > AROUND ? "…" : ""}
      {before}
      {by === null ? (
        <mark>{text.slice(first.start, first.end)}</mark>
      ) : (
        <>
          <del>{text.slice(first.start, first.end)}</del> <ins>{by}</ins>
        </>
      )}
      {after}
      {first.end + AROUND < text.length ? "…" : ""}
      {more}
    </span>
  );
}
