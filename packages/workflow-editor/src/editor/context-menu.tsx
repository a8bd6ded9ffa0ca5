import { t } from "@oven/i18n";
import { type KeyboardEvent, type ReactElement, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { CommandContext } from "./command-context.ts";
import { COMMANDS, type Command, runCommand } from "./commands.ts";
import { formatKeys } from "./keys.ts";

export interface MenuPlace {
  kind: "node" | "edge" | "pane";
  /** In the editor's own coordinates. */
  x: number;
  y: number;
}

/** The commands for what was clicked: arrows move, Enter takes, Escape closes. */
export function ContextMenu({
  place,
  context,
  onClose,
}: {
  place: MenuPlace;
  context: CommandContext;
  onClose: () => void;
}): ReactElement {
  const menu = useRef<HTMLDivElement>(null);
  const [moved, setMoved] = useState({ x: 0, y: 0 });
  // Kept inside of the editor, whatever corner was clicked.
  useLayoutEffect(() => {
    const box = menu.current?.getBoundingClientRect();
    const around = menu.current?.parentElement?.getBoundingClientRect();
    if (box === undefined || around === undefined) return;
    const fit = (end: number, limit: number): number => Math.min(0, limit - end - 8);
    setMoved({
      x: fit(place.x + box.width, around.width),
      y: Math.max(8 - place.y, fit(place.y + box.height, around.height)),
    });
  }, [place]);
  const commands = COMMANDS.filter((command) => command.in?.includes(place.kind) === true);
  useEffect(() => {
    const before = document.activeElement;
    menu.current?.querySelector<HTMLElement>("[role=menuitem]:not([aria-disabled=true])")?.focus();
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && menu.current?.contains(event.target) === true) return;
      onClose();
    };
    document.addEventListener("pointerdown", onPointerDown, true);
    return () => {
      document.removeEventListener("pointerdown", onPointerDown, true);
      if (before instanceof HTMLElement && document.activeElement === document.body)
        before.focus({ preventScroll: true });
    };
  }, [onClose]);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const items = [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = items.findIndex((item) => item.matches(":focus"));
    if (event.key === "Escape" || event.key === "Tab") onClose();
    else if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
    else if (event.key === "ArrowUp") items[(at - 1 + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
  };
  const run = (command: Command): void => {
    onClose();
    runCommand(command, context);
  };
  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      aria-label={t("What can be done here")}
      className="oven-menu"
      style={{ left: place.x + moved.x, top: place.y + moved.y }}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => event.preventDefault()}
    >
      {commands.map((command, index) => {
        const refused = command.refuse?.(context) ?? null;
        const keys = command.keys?.[0];
        return (
          <button
            key={command.id}
            type="button"
            role="menuitem"
            className="oven-menu__item"
            data-rule={index > 0 && commands[index - 1]?.group !== command.group}
            aria-disabled={refused !== null}
            title={refused ?? undefined}
            onClick={() => {
              if (refused === null) run(command);
            }}
          >
            <span>{command.title}</span>
            {keys === undefined ? null : <kbd>{formatKeys(keys)}</kbd>}
          </button>
        );
      })}
    </div>
  );
}
