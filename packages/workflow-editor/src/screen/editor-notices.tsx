import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import type { JsonObject } from "@oven/contract";
import { t, tx } from "@oven/i18n";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { type ReactElement, useState } from "react";
import type { Draft } from "./use-draft.ts";
import { MergeDialog } from "./versions/merge-dialog.tsx";

/** What the person should know about the draft before going on. */
export function EditorNotices({
  draft,
  recovered,
  document,
}: {
  draft: Draft;
  recovered: boolean;
  /** What is on the canvas. */
  document: JsonObject;
}): ReactElement | null {
  const [seen, setSeen] = useState(false);
  const [merging, setMerging] = useState(false);
  if (draft.state.is === "conflict") {
    return (
      <>
        <Alert
          severity="warning"
          sx={{ borderRadius: 0 }}
          action={
            <>
              <Button size="small" variant="contained" onClick={() => setMerging(true)}>
                {t("Merge…")}
              </Button>
              <Button size="small" onClick={draft.takeTheirs}>
                {t("Take theirs")}
              </Button>
              <Button size="small" onClick={draft.keepMine}>
                {t("Keep mine")}
              </Button>
            </>
          }
        >
          {tx("Somebody else changed this draft {{time}}. Nothing is saved until you choose.", {
            time: <RelativeTime at={draft.state.theirs.updatedAt} />,
          })}
        </Alert>
        {merging ? (
          <MergeDialog
            base={draft.state.base}
            mine={document}
            theirs={draft.state.theirs.definition}
            theirName="the other draft"
            onMerge={(joined) => {
              draft.merge(joined);
              setMerging(false);
            }}
            onClose={() => setMerging(false)}
          />
        ) : null}
      </>
    );
  }
  if (!recovered || seen) return null;
  return (
    <Alert
      severity="info"
      sx={{ borderRadius: 0 }}
      action={
        <>
          <Button
            size="small"
            onClick={() => {
              draft.dropStored();
              setSeen(true);
            }}
          >
            {t("Discard them")}
          </Button>
          <Button size="small" onClick={() => setSeen(true)}>
            {t("Keep them")}
          </Button>
        </>
      }
    >
      {t("Changes that this browser had kept and that never reached the server are back.")}
    </Alert>
  );
}
