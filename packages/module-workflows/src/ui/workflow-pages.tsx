import { LoadingScreen } from "@oven/ui/components/loading-screen.tsx";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { type ReactElement, Suspense } from "react";
import { Navigate, useParams } from "react-router-dom";
import { KindInFilter } from "./kind-in-filter.tsx";

const WorkflowList = lazyPage(() => import("./workflows/workflow-list.tsx"), "WorkflowList");
const WorkflowShow = lazyPage(() => import("./workflows/workflow-show.tsx"), "WorkflowShow");
const WorkflowCreate = lazyPage(() => import("./workflows/workflow-create.tsx"), "WorkflowCreate");
const WorkflowEdit = lazyPage(() => import("./workflows/workflow-edit.tsx"), "WorkflowEdit");
const ImportPage = lazyPage(() => import("./workflows/import-page.tsx"), "ImportPage");
const ExecutionList = lazyPage(() => import("./executions/execution-list.tsx"), "ExecutionList");
const ExecutionShow = lazyPage(() => import("./executions/execution-show.tsx"), "ExecutionShow");
const ComparePage = lazyPage(() => import("./executions/compare-page.tsx"), "ComparePage");
const RehearsedRunPage = lazyPage(() => import("./rehearsals/rehearsed-run-page.tsx"), "RehearsedRunPage");
const EditorPage = lazyPage(() => import("@oven/workflow-editor/screen/editor-page.tsx"), "EditorPage");
const NewWorkflowPage = lazyPage(() => import("@oven/workflow-editor/screen/new-workflow-page.tsx"), "NewWorkflowPage");
const WorkflowSettings = lazyPage(() => import("./workflows/workflow-settings.tsx"), "WorkflowSettings");

/** Links in messages name the run, not the view of it. */
function ToRun({ kind }: { kind: WorkflowKind }): ReactElement {
  const { id = "" } = useParams();
  return <Navigate to={`/${kind.executionResource}/${encodeURIComponent(id)}/show`} replace />;
}

/** The pages of workflows of one kind and of their runs. */
export function workflowPages(kind: WorkflowKind): Required<Pick<UiModule, "resourcePages" | "pages" | "fullPages">> {
  return {
    resourcePages: {
      [kind.resource]: {
        list: (
          <KindInFilter kind={kind} of="resource">
            <WorkflowList />
          </KindInFilter>
        ),
        create: <WorkflowCreate kind={kind} />,
        edit: <WorkflowEdit kind={kind} />,
        show: <WorkflowShow kind={kind} />,
      },
      [kind.executionResource]: {
        list: (
          <KindInFilter kind={kind} of="executionResource">
            <ExecutionList />
          </KindInFilter>
        ),
        show: <ExecutionShow kind={kind} />,
      },
    },
    pages: [
      { path: `/${kind.executionResource}/:id`, element: <ToRun kind={kind} /> },
      { path: `/${kind.executionResource}/:id/compare/:other`, element: <ComparePage kind={kind} /> },
      { path: `/${kind.resource}/:id/past-runs/:executionId`, element: <RehearsedRunPage kind={kind} /> },
      { path: `/${kind.resource}/import`, element: <ImportPage kind={kind} /> },
    ],
    fullPages: [
      {
        path: `/${kind.resource}/new`,
        element: (
          <Suspense fallback={<LoadingScreen />}>
            <NewWorkflowPage kind={kind} />
          </Suspense>
        ),
      },
      {
        path: `/${kind.resource}/:id/editor`,
        element: (
          <Suspense fallback={<LoadingScreen />}>
            <EditorPage kind={kind} settings={WorkflowSettings} />
          </Suspense>
        ),
      },
    ],
  };
}
