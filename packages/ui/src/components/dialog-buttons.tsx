import AddRounded from "@mui/icons-material/AddRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import EditOutlined from "@mui/icons-material/EditOutlined";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import { type RaRecord, useDataProvider, useRefresh } from "react-admin";
import { ConfirmDialog } from "./confirm-dialog.tsx";

/** A dialog, given what closes it; `saved` makes the page read its data again. */
export type OpenedDialog = (close: (saved: boolean) => void) => ReactElement;

function useOpened(dialog: OpenedDialog): { open: () => void; opened: ReactElement | null } {
  const [isOpen, setOpen] = useState(false);
  const refresh = useRefresh();
  const close = (saved: boolean): void => {
    setOpen(false);
    if (saved) refresh();
  };
  return { open: () => setOpen(true), opened: isOpen ? dialog(close) : null };
}

/** The button of a list that makes a new record, and its dialog. */
export interface CreateButton {
  /** For the page's header and for the empty list; null: the person may not. */
  button: ReactElement | null;
  /** Belongs outside of the list's body, which goes away with the first record. */
  dialog: ReactElement | null;
}

/** @param allowed whether the person may make records */
export function useCreateButton(
  label: string,
  allowed: boolean,
  dialog: OpenedDialog,
  icon = <AddRounded />,
): CreateButton {
  const { open, opened } = useOpened(dialog);
  const button = (
    <Button variant="contained" startIcon={icon} onClick={open}>
      {label}
    </Button>
  );
  return { button: allowed ? button : null, dialog: opened };
}

/** Opens the dialog that changes the record of a row. */
export function EditButton({ label, dialog }: { label: string; dialog: OpenedDialog }): ReactElement {
  const { open, opened } = useOpened(dialog);
  return (
    <>
      <IconButton aria-label={label} onClick={open}>
        <EditOutlined sx={{ fontSize: 20 }} />
      </IconButton>
      {opened}
    </>
  );
}

export interface DeleteButtonProps {
  resource: string;
  record: RaRecord;
  label: string;
  /** Asks, and names the thing. */
  title: string;
  /** What follows from it. */
  text: string;
  /** Absent: "Delete". */
  confirmLabel?: string;
}

/** Deletes the record of a row once that is confirmed. */
export function DeleteButton(props: DeleteButtonProps): ReactElement {
  const { resource, record, label, title, text, confirmLabel = t("Delete") } = props;
  const [asking, setAsking] = useState(false);
  const dataProvider = useDataProvider();
  const refresh = useRefresh();
  return (
    <>
      <IconButton aria-label={label} onClick={() => setAsking(true)}>
        <DeleteOutlineRounded sx={{ fontSize: 20 }} />
      </IconButton>
      <ConfirmDialog
        open={asking}
        title={title}
        text={text}
        confirmLabel={confirmLabel}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await dataProvider.delete(resource, { id: record.id, previousData: record });
          refresh();
        }}
      />
    </>
  );
}
