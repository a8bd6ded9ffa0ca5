import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { COMMANDS } from "./commands.ts";
import { formatKeys } from "./keys.ts";
import { Modal } from "./modal.tsx";

const GROUPS = ["Add", "Edit", "Structure", "View", "Workflow"] as const;

/** Every command that has keys, by group. */
export function KeySheet({ onClose }: { onClose: () => void }): ReactElement {
  return (
    <Modal label={t("Keyboard shortcuts")} onClose={onClose}>
      <div className="oven-sheet__head">
        <h2>{t("Keyboard shortcuts")}</h2>
        {/* biome-ignore lint/a11y/noAutofocus: the dialog needs a first focus */}
        <button type="button" className="oven-button" autoFocus onClick={onClose}>
          {t("Close")}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too */}
      <div className="oven-sheet" tabIndex={0}>
        {GROUPS.map((group) => {
          const commands = COMMANDS.filter((command) => command.group === group && command.keys !== undefined);
          if (commands.length === 0) return null;
          return (
            <section key={group} aria-label={group}>
              <h3>{group}</h3>
              <dl>
                {commands.map((command) => (
                  <div key={command.id}>
                    <dt>{command.title.replace(/…$/, "")}</dt>
                    <dd>
                      {command.keys?.map((keys) => (
                        <kbd key={keys}>{formatKeys(keys)}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </Modal>
  );
}
