import SensorsRounded from "@mui/icons-material/SensorsRounded";
import type { ReactElement } from "react";
import { ListBase } from "react-admin";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterChips, ListBody, SearchField } from "../../components/list-page.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { EventRows } from "./event-rows.tsx";

const STATES = [{ label: "A listener failed", value: true }];
const ABOUT = [
  { label: "Runs of agent workflows", value: "agents-workflow.execution.*" },
  { label: "Agent workflows", value: "agents-workflow.workflow.*" },
  { label: "Reviews", value: "agents-workflow.review.*" },
  { label: "Runs of workflows", value: "workflows.execution.*" },
];

/** What happened, what it carried, and what each listener made of it. */
export function EventList(): ReactElement {
  return (
    <ListBase resource="events" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader title="Events" line="Each event reaches its listeners at least once, those of a run in order." />
      <ListBody
        noun="events"
        filters={
          <>
            <SearchField label="Search event names" />
            <FilterChips field="pattern" label="About" choices={ABOUT} />
            <FilterChips field="failed" label="State" choices={STATES} />
          </>
        }
        empty={
          <EmptyState
            icon={<SensorsRounded />}
            title="Nothing happened yet"
            text="Run a workflow: what happens appears here."
          />
        }
      >
        <EventRows />
      </ListBody>
    </ListBase>
  );
}
