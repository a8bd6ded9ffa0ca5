import ExpandMoreRounded from "@mui/icons-material/ExpandMoreRounded";
import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import StopRounded from "@mui/icons-material/StopRounded";
import Button from "@mui/material/Button";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import { refuseBegin, refuseEnd } from "../../overlay/partial-run.ts";
import type { Running } from "./use-running.ts";

export interface TestMenuProps {
  running: Running;
  /** What is on the canvas. */
  definition: JsonObject;
  /** The state a run can begin or end at. */
  selected: string | null;
  onInput: () => void;
}

/** Of the bar: everything about running what is on the canvas. */
export function TestMenu({ running, definition, selected, onInput }: TestMenuProps): ReactElement {
  const { actions } = running;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [first, ...pins] = Object.keys(running.pins);
  const close = (then: () => void) => () => {
    setAnchor(null);
    then();
  };
  const cannot = actions.refused !== null;
  return (
    <>
      <Button
        variant="outlined"
        aria-haspopup="menu"
        startIcon={actions.going ? <StopRounded /> : <PlayArrowRounded />}
        endIcon={<ExpandMoreRounded />}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t("Test")}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {actions.going ? (
          <MenuItem onClick={close(actions.stop)}>{t("Stop the run")}</MenuItem>
        ) : (
          <MenuItem disabled={cannot} onClick={close(actions.run)}>
            {t("Run the draft")}
          </MenuItem>
        )}
        <MenuItem disabled={cannot || actions.going} onClick={close(actions.dryRun)}>
          {t("Dry run: nothing has an effect")}
        </MenuItem>
        <MenuItem onClick={close(onInput)}>{t("Set the input…")}</MenuItem>
        <MenuItem
          disabled={cannot || refuseEnd(definition, selected ?? undefined) !== null}
          onClick={close(() => actions.runUntil(selected ?? ""))}
        >
          {selected === undefined || selected === null
            ? t("Run until the selected state")
            : t("Run until {{selected}}", { selected })}
        </MenuItem>
        <MenuItem
          disabled={cannot || refuseBegin(definition, selected ?? undefined) !== null}
          onClick={close(() => actions.runFrom(selected ?? ""))}
        >
          {selected === undefined || selected === null
            ? t("Run from the selected state")
            : t("Run from {{selected}}", { selected })}
        </MenuItem>
        {first === undefined ? null : (
          <MenuItem
            onClick={close(() => {
              running.clearPins();
            })}
          >
            {pins.length === 0
              ? t("Unpin {{first}}", { first })
              : t("Unpin all {{total}} outputs", { total: pins.length + 1 })}
          </MenuItem>
        )}
      </Menu>
    </>
  );
}
