import SensorsRounded from "@mui/icons-material/SensorsRounded";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import type { ReactElement } from "react";
import { ListBase } from "react-admin";
import { EventRows } from "./event-rows.tsx";

const STATES = [{ label: t("A listener failed"), value: true }];
const ABOUT = [
  { label: t("Runs of agent workflows"), value: "agents-workflow.execution.*" },
  { label: t("Agent workflows"), value: "agents-workflow.workflow.*" },
  { label: t("Reviews"), value: "agents-workflow.review.*" },
  { label: t("Runs of workflows"), value: "workflows.execution.*" },
];

/** What happened, what it carried, and what each listener made of it. */
export function EventList(): ReactElement {
  return (
    <ListBase resource="events" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader
        title={t("Events")}
        line={t("Each event reaches its listeners at least once, those of a run in order.")}
      />
      <ListBody
        noun={t("events")}
        filters={
          <>
            <SearchField label={t("Search event names")} />
            <FilterChips field="pattern" label={t("About")} choices={ABOUT} />
            <FilterChips field="failed" label={t("State")} choices={STATES} />
          </>
        }
        empty={
          <EmptyState
            icon={<SensorsRounded />}
            title={t("Nothing happened yet")}
            text={t("Run a workflow: what happens appears here.")}
          />
        }
      >
        <EventRows />
      </ListBody>
    </ListBase>
  );
}
