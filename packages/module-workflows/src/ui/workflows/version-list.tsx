import Skeleton from "@mui/material/Skeleton";
import type { Workflow, WorkflowVersion } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { ShortId } from "@oven/ui/components/short-id.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { VersionRows } from "@oven/ui/components/version-rows.tsx";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";
import { CanaryPanel } from "../canary/canary-panel.tsx";
import { WaitingNotice } from "../migrations/waiting-notice.tsx";

const NEWEST = { pagination: { page: 1, perPage: 100 }, sort: { field: "version", order: "DESC" as const } };

/** Every version that was published; an older one can become the newest again. */
export function VersionList({ kind, workflow }: { kind: WorkflowKind; workflow: Workflow }): ReactElement {
  const versions = `${kind.resource}/${workflow.id}/versions`;
  const { data, error, refetch } = useGetList<WorkflowVersion>(versions, NEWEST);
  const mayUpdate = useCan(`${kind.resource}.update`);
  if (error)
    return <ErrorPanel error={error} title={t("The versions could not be loaded")} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton variant="rounded" height={120} />;
  return (
    <>
      <CanaryPanel kind={kind} workflow={workflow} versions={data} />
      <WaitingNotice kind={kind} workflow={workflow} />
      <VersionRows
        versions={data}
        live={workflow.version}
        path={versions}
        mayRestore={mayUpdate}
        restoreText={t(
          "Its definition is published again as version {{version}}. Nothing is lost, and runs that are going on keep their own version.",
          { version: workflow.version + 1 },
        )}
        renderParts={({ contentHash }) => <ShortId id={contentHash} what={t("the content hash")} />}
      />
    </>
  );
}
