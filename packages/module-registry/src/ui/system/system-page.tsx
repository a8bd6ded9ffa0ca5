import SensorsRounded from "@mui/icons-material/SensorsRounded";
import Button from "@mui/material/Button";
import { DEFAULT_TENANT } from "@oven/contract";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { TabBar } from "@oven/ui/components/tab-bar.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { useGetIdentity } from "react-admin";
import { Link } from "react-router-dom";
import { HealthTab } from "./health-tab.tsx";
import { ModulesTab } from "./modules-tab.tsx";
import { NodeTypesTab } from "./node-types-tab.tsx";
import { QueueTab } from "./queue-tab.tsx";
import { RetentionTab } from "./retention-tab.tsx";
import { WorkersTab } from "./workers-tab.tsx";

/** How the installation runs: what is in it, who works, what waits, and what goes. */
export function SystemPage(): ReactElement {
  const { identity } = useGetIdentity();
  const maySee = useCan("installation.read");
  const mayEvents = useCan("events.read");
  // Processes and queues serve all tenants.
  const isFirst = identity?.tenantId === DEFAULT_TENANT;
  const tabs = [
    { id: "modules", label: t("Modules"), content: () => <ModulesTab /> },
    { id: "nodes", label: t("Node types"), content: () => <NodeTypesTab /> },
    ...(isFirst
      ? [
          { id: "workers", label: t("Workers"), content: () => <WorkersTab /> },
          { id: "queue", label: t("Queue"), content: () => <QueueTab /> },
        ]
      : []),
    { id: "retention", label: t("Retention"), content: () => <RetentionTab /> },
    { id: "health", label: t("Health"), content: () => <HealthTab /> },
  ];
  return (
    <>
      <PageHeader
        title={t("System")}
        line={t("What is installed, who works, what waits, and what is kept.")}
        actions={
          mayEvents ? (
            <Button variant="outlined" startIcon={<SensorsRounded />} component={Link} to="/events">
              {t("Events log")}
            </Button>
          ) : null
        }
      />
      <Panel flush>
        {maySee ? (
          <TabBar label={t("About the installation")} tabs={tabs} />
        ) : (
          <EmptyState
            icon={null}
            title={t("This is not yours to see")}
            text={t("It needs the permission installation.read, which owners and admins have.")}
          />
        )}
      </Panel>
    </>
  );
}
