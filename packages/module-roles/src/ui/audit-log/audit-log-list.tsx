import DownloadRounded from "@mui/icons-material/DownloadRounded";
import FactCheckOutlined from "@mui/icons-material/FactCheckOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { AuditEntry, User } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { ListBase, useGetMany, useListContext } from "react-admin";

const OUTCOMES = [
  { label: t("Done"), value: "done" },
  { label: t("Refused"), value: "refused" },
  { label: t("Failed"), value: "failed" },
];
const ACTORS = [
  { label: t("Users"), value: "user" },
  { label: t("API keys"), value: "api-key" },
];
const TONES = { done: "completed", refused: "paused", failed: "failed" } as const;

export function AuditLogList(): ReactElement {
  return (
    <ListBase resource="audit-log" sort={{ field: "id", order: "DESC" }} perPage={50}>
      <PageHeader
        title={t("Audit log")}
        line={t("Every change and every sign-in. Nothing here can be changed or removed.")}
        actions={<ExportButtons />}
      />
      <ListBody
        noun={t("entries")}
        filters={
          <>
            <SearchField label={t("Search action, target or address")} />
            <FilterChips field="outcome" label={t("Outcome")} choices={OUTCOMES} />
            <FilterChips field="actorKind" label={t("Who")} choices={ACTORS} />
            <DayField field="from" label={t("From")} />
            <DayField field="to" label={t("Until")} />
          </>
        }
        empty={
          <EmptyState
            icon={<FactCheckOutlined />}
            title={t("Nothing was done yet")}
            text={t("Changes and sign-ins appear here.")}
          />
        }
      >
        <AuditRows />
      </ListBody>
    </ListBase>
  );
}

/** What is filtered is what is exported. */
function ExportButtons(): ReactElement {
  const { filterValues } = useListContext();
  const href = (format: string): string =>
    `/api/audit-log/export?${new URLSearchParams({ format, filter: JSON.stringify(filterValues) })}`;
  return (
    <>
      {["csv", "json"].map((format) => (
        <Button key={format} variant="outlined" startIcon={<DownloadRounded />} href={href(format)} download>
          {format.toUpperCase()}
        </Button>
      ))}
    </>
  );
}

/** A day as an instant of the reader's own time zone; "until" includes the day. */
function DayField({ field, label }: { field: "from" | "to"; label: string }): ReactElement {
  const { filterValues, setFilters } = useListContext();
  const shift = field === "to" ? 86_400_000 : 0;
  const current = typeof filterValues[field] === "string" ? new Date(Date.parse(filterValues[field]) - shift) : null;
  const value =
    current === null
      ? ""
      : `${current.getFullYear()}-${String(current.getMonth() + 1).padStart(2, "0")}-${String(current.getDate()).padStart(2, "0")}`;
  return (
    <TextField
      type="date"
      label={label}
      value={value}
      onChange={(event) => {
        const { [field]: _, ...others } = filterValues;
        const day = new Date(`${event.target.value}T00:00:00`);
        setFilters(
          Number.isNaN(day.getTime()) ? others : { ...others, [field]: new Date(day.getTime() + shift).toISOString() },
        );
      }}
      slotProps={{ inputLabel: { shrink: true } }}
      sx={{ width: 160 }}
    />
  );
}

function AuditRows(): ReactElement {
  const { data } = useListContext<AuditEntry>();
  const maySeeUsers = useCan("users.read");
  const ids = [...new Set((data ?? []).flatMap(({ userId }) => (userId === null ? [] : [userId])))];
  const { data: users } = useGetMany<User>("users", { ids }, { enabled: maySeeUsers && ids.length > 0 });
  const nameOf = (id: number): string => users?.find((user) => user?.id === id)?.name ?? t("user {{id}}", { id });
  return (
    <RowList label={t("Audit log")}>
      {(data ?? []).map((entry) => (
        <RowItem key={entry.id}>
          <RowPart basis={110} quiet>
            <RelativeTime at={entry.at} />
          </RowPart>
          <RowPart basis={150} grow={1}>
            <Actor entry={entry} nameOf={nameOf} />
          </RowPart>
          <RowPart basis={260} grow={2}>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5 }}>{entry.action}</Box>
            <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{toTarget(entry)}</Box>
          </RowPart>
          <RowPart basis={110} quiet>
            {entry.address ?? ""}
          </RowPart>
          <RowPart basis={110}>
            <Box title={entry.userAgent ?? undefined}>
              <ToneChip
                tone={TONES[entry.outcome]}
                word={OUTCOMES.find(({ value }) => value === entry.outcome)?.label.toLowerCase() ?? entry.outcome}
              />
            </Box>
          </RowPart>
        </RowItem>
      ))}
    </RowList>
  );
}

function Actor({ entry, nameOf }: { entry: AuditEntry; nameOf: (id: number) => string }): ReactElement {
  if (entry.actorKind === "nobody") return <Box sx={{ color: "text.secondary" }}>{t("nobody known")}</Box>;
  if (entry.actorKind === "system") return <>OVEN</>;
  return (
    <>
      <Box sx={{ fontWeight: 600 }}>{entry.userId === null ? "–" : nameOf(entry.userId)}</Box>
      {entry.keyId === null ? null : (
        <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{t("by API key {{id}}", { id: entry.keyId })}</Box>
      )}
    </>
  );
}

function toTarget({ targetType, targetId, targetVersion, errorCode }: AuditEntry): string {
  return [
    targetId === null ? null : `${targetType ?? ""} ${targetId}`,
    targetVersion === null ? null : t("version {{targetVersion}}", { targetVersion }),
    errorCode,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}
