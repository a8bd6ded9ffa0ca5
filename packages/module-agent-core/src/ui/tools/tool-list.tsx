import BuildOutlined from "@mui/icons-material/BuildOutlined";
import LockOutlined from "@mui/icons-material/LockOutlined";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { CatalogTool, ToolGroup } from "@oven/contract/agent";
import { t } from "@oven/i18n";
import { EffectChip } from "@oven/ui/components/effect-chip.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ListViews } from "@oven/ui/components/saved-views.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { EFFECTS, permissionsOf, SOURCES } from "./tool-words.ts";

const REACH = [{ label: t("Also what I may not call"), value: [true, false] }];

/** Everything that a model can call. */
export function ToolList(): ReactElement {
  return (
    <ListBase resource="tools" sort={{ field: "id", order: "ASC" }} perPage={25} exporter={false}>
      <PageHeader
        title={t("Tools")}
        line={t(
          "Everything a model can call: what modules offer, the API itself, and what connected servers were approved for.",
        )}
      />
      <ListBody
        noun={t("tools")}
        filters={
          <>
            <SearchField label={t("Search tools")} />
            <GroupFilter />
            <FilterChips field="source" label={t("Source")} choices={SOURCES} />
            <FilterChips field="effect" label={t("Effect")} choices={EFFECTS} />
            <FilterChips field="granted" label={t("Permission")} choices={REACH} />
            <ListViews of="tools" />
          </>
        }
        empty={
          <EmptyState
            icon={<BuildOutlined />}
            title={t("There is no tool that you may call")}
            text={t("Your roles decide what you, and models on your behalf, may call. Ask whoever keeps the roles.")}
          />
        }
      >
        <ToolRows />
      </ListBody>
    </ListBase>
  );
}

/** One module, or one connected server. */
function GroupFilter(): ReactElement {
  const { data } = useAnswer<ToolGroup[]>("tool-groups");
  const { filterValues, setFilters } = useListContext();
  const chosen = typeof filterValues.group === "string" ? filterValues.group : "";
  return (
    <TextField
      select
      label={t("Of")}
      value={data === undefined ? "" : chosen}
      onChange={(event) => {
        const { group: _, ...others } = filterValues;
        setFilters(event.target.value === "" ? others : { ...others, group: event.target.value });
      }}
      sx={{ width: { xs: "100%", sm: 200 } }}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">{t("Everything")}</MenuItem>
      {(data ?? []).map(({ id, tools }) => (
        <MenuItem key={id} value={id}>
          {id} ({tools})
        </MenuItem>
      ))}
    </TextField>
  );
}

function ToolRows(): ReactElement {
  const { data } = useListContext<CatalogTool>();
  return (
    <RowList label={t("Tools")}>
      {(data ?? []).map((tool) => (
        <RowItem key={tool.id}>
          <RowPart basis={260} grow={3}>
            <Link
              component={RouterLink}
              to={`/tools/${encodeURIComponent(tool.id)}`}
              color="text.primary"
              sx={{ fontWeight: 600 }}
            >
              {tool.title}
            </Link>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary" }}>{tool.id}</Box>
          </RowPart>
          <RowPart basis={180} grow={1} quiet>
            {tool.granted ? (
              (permissionsOf(tool)[0] ?? t("no permission needed"))
            ) : (
              <Box component="span" sx={{ display: "inline-flex", alignItems: "center", gap: 0.5 }}>
                <LockOutlined sx={{ fontSize: 15 }} />{" "}
                {t("needs {{permissions}}", { permissions: permissionsOf(tool).join(", ") })}
              </Box>
            )}
          </RowPart>
          <RowPart basis={190}>
            <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.75, justifyContent: { sm: "flex-end" } }}>
              {tool.needsApproval ? (
                <ToneChip tone="paused" word={tool.approvalWhen === undefined ? t("asks first") : t("may ask first")} />
              ) : null}
              <EffectChip effect={tool.effect} />
            </Box>
          </RowPart>
        </RowItem>
      ))}
    </RowList>
  );
}
