import { t } from "@oven/i18n";
import { memo, type ReactElement, useMemo, useState } from "react";
import { type PaletteItem, searchPalette } from "../document/new-states.ts";
import { KindIcon } from "../look/kind-icon.tsx";

/** What is dragged from the palette onto the canvas, by the id of its item. */
export const DRAG_TYPE = "application/x-oven-state";

export interface PaletteProps {
  items: readonly PaletteItem[];
  onAdd: (item: PaletteItem) => void;
}

/** Everything that can be added, by group: drag it onto the canvas, or click to add it behind what is selected. */
export const Palette = memo(function Palette({ items, onAdd }: PaletteProps): ReactElement {
  const [query, setQuery] = useState("");
  const groups = useMemo(() => {
    const found = searchPalette(items, query);
    const names = [...new Set(found.map(({ group }) => group))];
    return names.map((name) => ({ name, items: found.filter(({ group }) => group === name) }));
  }, [items, query]);
  return (
    <aside className="oven-palette" aria-label={t("Palette")}>
      <input
        type="search"
        className="oven-palette__search"
        aria-label={t("Search the palette")}
        placeholder={t("Search")}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          const [first] = groups.flatMap((group) => group.items);
          if (event.key === "Enter" && first !== undefined && query !== "") onAdd(first);
        }}
      />
      <div className="oven-palette__groups">
        {groups.length === 0 ? <p className="oven-chooser__empty">{t("Nothing like that")}</p> : null}
        {groups.map((group) => (
          <details key={group.name} open={query !== "" || group.name !== "API"}>
            <summary>{group.name}</summary>
            <ul>
              {group.items.map((item) => (
                <li key={item.id}>
                  <button
                    type="button"
                    className="oven-palette__item"
                    draggable
                    title={item.docs.split("\n")[0]}
                    onDragStart={(event) => {
                      event.dataTransfer.setData(DRAG_TYPE, item.id);
                      event.dataTransfer.effectAllowed = "copy";
                    }}
                    onClick={() => onAdd(item)}
                  >
                    <KindIcon kind={item.kind} look={item.look} size={17} />
                    <span>{item.title}</span>
                  </button>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </div>
    </aside>
  );
});
