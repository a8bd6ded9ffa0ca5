import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import Typography from "@mui/material/Typography";
import type { ApiConnection, ApiConnectionOperation } from "@oven/contract/api";
import { t } from "@oven/i18n";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { ListBase, useListContext } from "react-admin";
import { ApproveOperationsDialog } from "./approve-operations-dialog.tsx";
import { STATE_LOOK } from "./connection-words.ts";
import { OperationDetail } from "./operation-detail.tsx";

const STATES = [
  { label: t("Not approved"), value: "new" },
  { label: t("Approved"), value: "approved" },
  { label: t("Changed"), value: "changed" },
  { label: t("Unusable"), value: "refused" },
];
const KINDS = [
  { label: t("Reads"), value: true },
  { label: t("Writes"), value: false },
];

interface OperationListProps {
  connection: ApiConnection;
  /** Names of those that are shown and picked first. */
  proposed: readonly string[];
  onChanged: () => void;
}

/** The operations of a connection: searched, looked at, approved. */
export function OperationList({ connection, proposed, onChanged }: OperationListProps): ReactElement {
  const [onlyProposed, setOnlyProposed] = useState(proposed.length > 0);
  return (
    <ListBase
      resource={`api-connections/${connection.id}/operations`}
      sort={{ field: "name", order: "ASC" }}
      perPage={25}
      disableSyncWithLocation
      {...(onlyProposed ? { filter: { name: proposed } } : {})}
    >
      {onlyProposed ? (
        <Alert
          severity="info"
          action={
            <Button size="small" color="inherit" onClick={() => setOnlyProposed(false)}>
              {t("Show all operations")}
            </Button>
          }
        >
          {t("These are useful at first and picked for you. Look at each before you approve it.")}
        </Alert>
      ) : null}
      <ListBody
        noun={t("operations")}
        filters={
          <>
            <SearchField label={t("Search operations")} />
            <FilterChips field="state" label={t("State")} choices={STATES} />
            <FilterChips field="reads" label={t("What they do")} choices={KINDS} />
          </>
        }
        empty={
          <Typography variant="body2" color="text.secondary" sx={{ p: 2 }}>
            {t("The document describes no operation.")}
          </Typography>
        }
      >
        <Operations connection={connection} proposed={proposed} onChanged={onChanged} />
      </ListBody>
    </ListBase>
  );
}

function Operations({ connection, proposed, onChanged }: OperationListProps): ReactElement {
  const { data = [], refetch } = useListContext<ApiConnectionOperation>();
  const mayApprove = useCan("api-connections.approve");
  const { readAt, updatedAt } = connection;
  // A document that was read again has other operations.
  useEffect(() => void refetch(), [refetch, readAt, updatedAt]);
  const [picked, setPicked] = useState<readonly ApiConnectionOperation[]>([]);
  const [approving, setApproving] = useState<readonly ApiConnectionOperation[]>([]);
  const reload = (): void => {
    void refetch();
    onChanged();
  };
  const mayPick = ({ state }: ApiConnectionOperation): boolean =>
    mayApprove && (state === "new" || state === "changed");
  const isProposing = useRef(proposed.length > 0);
  useEffect(() => {
    if (!isProposing.current || !mayApprove || data.length === 0) return;
    isProposing.current = false;
    setPicked(data.filter(({ name, state }) => state === "new" && proposed.includes(name)));
  }, [data, mayApprove, proposed]);
  const isPicked = ({ id }: ApiConnectionOperation): boolean => picked.some((one) => one.id === id);
  const toggle = (operation: ApiConnectionOperation): void =>
    setPicked(isPicked(operation) ? picked.filter(({ id }) => id !== operation.id) : [...picked, operation]);
  // What has changed is picked one by one: its differences are there to be read.
  const fresh = data.filter((one) => one.state === "new" && mayPick(one) && !isPicked(one));
  return (
    <Panel
      title={t("Operations")}
      flush
      aside={
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
          {fresh.length === 0 ? null : (
            <Button size="small" variant="outlined" onClick={() => setPicked([...picked, ...fresh])}>
              {t("Pick {{count}} shown", { count: fresh.length })}
            </Button>
          )}
          {picked.length === 0 ? null : (
            <>
              <Button size="small" variant="outlined" onClick={() => setPicked([])}>
                {t("Pick none")}
              </Button>
              <Button size="small" variant="contained" onClick={() => setApproving(picked)}>
                {t("Approve {{count}}…", { count: picked.length })}
              </Button>
            </>
          )}
        </Box>
      }
    >
      {data.map((operation) => (
        <OperationRow
          key={operation.id}
          operation={operation}
          pick={
            mayPick(operation) ? (
              <Checkbox
                size="small"
                checked={isPicked(operation)}
                onChange={() => toggle(operation)}
                slotProps={{ input: { "aria-label": t("Pick {{name}}", { name: operation.name }) } }}
                sx={{ alignSelf: "flex-start", ml: 1, mt: 0.5, mr: -1.5 }}
              />
            ) : null
          }
          connection={connection}
          onApprove={() => setApproving([operation])}
          onChanged={reload}
        />
      ))}
      {approving.length === 0 ? null : (
        <ApproveOperationsDialog
          connection={connection}
          operations={approving}
          onClose={(saved) => {
            setApproving([]);
            if (!saved) return;
            setPicked([]);
            reload();
          }}
        />
      )}
    </Panel>
  );
}

function OperationRow({
  operation,
  pick,
  connection,
  onApprove,
  onChanged,
}: {
  operation: ApiConnectionOperation;
  pick: ReactElement | null;
  connection: ApiConnection;
  onApprove: () => void;
  onChanged: () => void;
}): ReactElement {
  const [open, setOpen] = useState(false);
  const { title, method, path, state, problem, deprecated } = operation;
  return (
    <Box sx={{ display: "flex", borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}>
      {pick}
      <Box
        component="details"
        open={open}
        onToggle={(event) => setOpen(event.currentTarget.open)}
        sx={{ flex: 1, minWidth: 0, "& > summary": { cursor: "pointer", px: 2, py: 1.25 } }}
      >
        <summary>
          <Box component="span" sx={{ fontWeight: 600, mr: 1.25, overflowWrap: "anywhere" }}>
            {title}
          </Box>
          <ToneChip {...STATE_LOOK[state]} />
          {deprecated ? <ToneChip tone="cancelled" word={t("deprecated")} /> : null}
          <Box
            sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere", mt: 0.25 }}
          >
            {method} {path}
          </Box>
          {problem === null ? null : (
            <Box sx={{ fontSize: 12.5, color: "error.main", overflowWrap: "anywhere" }}>{problem}</Box>
          )}
        </summary>
        {open ? (
          <OperationDetail connection={connection} operation={operation} onApprove={onApprove} onChanged={onChanged} />
        ) : null}
      </Box>
    </Box>
  );
}
