import AccountTreeOutlined from "@mui/icons-material/AccountTreeOutlined";
import AddRounded from "@mui/icons-material/AddRounded";
import UploadFileRounded from "@mui/icons-material/UploadFileRounded";
import Button from "@mui/material/Button";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { type JointRow, jointResource } from "@oven/ui/api/joint-list.ts";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { useCan, useCanAny } from "@oven/ui/components/use-can.ts";
import { AGENT_WORKFLOWS, REGULAR_WORKFLOWS } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link } from "react-router-dom";
import { readableKinds } from "../readable-kinds.ts";
import { TagField } from "./tag-field.tsx";
import { useTags } from "./use-tags.ts";
import { WorkflowRows } from "./workflow-rows.tsx";

/** Workflows of both kinds in one list. */
export function WorkflowList(): ReactElement {
  const kinds = readableKinds(useCanAny());
  return (
    <ListBase
      resource={jointResource(kinds.map(({ resource }) => resource))}
      sort={{ field: "updatedAt", order: "DESC" }}
      perPage={25}
    >
      <PageHeader
        title={t("Workflows")}
        line={t("Graphs of models, tools, steps and people. Each change makes a new version.")}
        actions={<ListActions />}
      />
      <ListBody
        noun={t("workflows")}
        filters={
          <>
            <SearchField label={t("Search workflows")} />
            {kinds.length > 1 ? (
              <FilterChips
                field="resource"
                label={t("Kind")}
                choices={[
                  { label: t("With agents"), value: AGENT_WORKFLOWS.resource },
                  { label: t("Without agents"), value: REGULAR_WORKFLOWS.resource },
                ]}
              />
            ) : null}
            <FilterChips
              field="enabled"
              label={t("State")}
              choices={[
                { label: t("Enabled"), value: true },
                { label: t("Disabled"), value: false },
              ]}
            />
            <FilterChips field="mcpExport" label="MCP" choices={[{ label: t("Offered over MCP"), value: true }]} />
            <TagFilter />
          </>
        }
        empty={
          <EmptyState
            icon={<AccountTreeOutlined />}
            title={t("No workflows yet")}
            text={t("Draw one: choose what starts it, then add a step after the other.")}
            action={<CreateButton />}
          />
        }
      >
        <WorkflowRows />
      </ListBody>
    </ListBase>
  );
}

function ListActions(): ReactElement {
  const mayImport = useCan("promotions.create");
  const created = useNewResource();
  const mayCreate = created !== undefined;
  const resource = created ?? AGENT_WORKFLOWS.resource;
  return (
    <>
      {mayImport ? (
        <Button
          variant="outlined"
          startIcon={<UploadFileRounded />}
          component={Link}
          to={`/${resource}/import`}
          aria-label={t("Import from another installation")}
        >
          {t("Import")}
        </Button>
      ) : null}
      {mayCreate ? (
        <Button variant="outlined" component={Link} to={`/${resource}/create`}>
          {t("From a template or file")}
        </Button>
      ) : null}
      <CreateButton />
    </>
  );
}

function CreateButton(): ReactElement | null {
  const resource = useNewResource();
  if (resource === undefined) return null;
  return (
    <Button variant="contained" startIcon={<AddRounded />} component={Link} to={`/${resource}/new`}>
      {t("New workflow")}
    </Button>
  );
}

/** The resource in which a new workflow is made: agent workflows, unless only the other kind is shown or may be made. */
function useNewResource(): string | undefined {
  const mayCreate = useCanAny();
  const { filterValues } = useListContext();
  const kinds = [AGENT_WORKFLOWS, REGULAR_WORKFLOWS].filter(({ resource }) => mayCreate([`${resource}.create`]));
  return (kinds.find(({ resource }) => resource === filterValues.resource) ?? kinds[0])?.resource;
}

/** Filters for workflows that carry all of the chosen tags. It renders nothing while there are no tags. */
function TagFilter(): ReactElement | null {
  const { data, filterValues, setFilters } = useListContext<JointRow<Workflow>>();
  const ofAgents = useTags(AGENT_WORKFLOWS, data);
  const ofOthers = useTags(REGULAR_WORKFLOWS, data);
  const known = [...new Set([...ofAgents, ...ofOthers].map(({ tag }) => tag))];
  const chosen: string[] = [filterValues.tags ?? []].flat();
  if (known.length === 0 && chosen.length === 0) return null;
  const { tags: _, ...others } = filterValues;
  return (
    <TagField
      small
      closed
      label={t("Tags")}
      value={chosen}
      known={known}
      onChange={(tags) => setFilters(tags.length === 0 ? others : { ...others, tags })}
    />
  );
}
