"use client";

// First: schemas are made when the modules below are loaded.
import "./without-eval.ts";
import { CacheProvider } from "@emotion/react";
import type { ExecutionKind } from "@oven/contract/run";
import { lazy, type ReactElement, Suspense } from "react";
import { Admin, CustomRoutes, Resource } from "react-admin";
import { BrowserRouter, Navigate, Route, useParams } from "react-router-dom";
import { ConnectPage } from "./access/connect-page.tsx";
import { InvitationPage } from "./access/invitation-page.tsx";
import { LoginPage } from "./access/login-page.tsx";
import { SetupPage } from "./access/setup-page.tsx";
import { HomePage } from "./home/home-page.tsx";
import { createFrameWords } from "./i18n/frame-words.ts";
import { AppLayout } from "./layout/app-layout.tsx";
import { LoadingScreen } from "./layout/loading-screen.tsx";
import { NotFoundPage } from "./layout/not-found-page.tsx";
import { api } from "./providers/api-client.ts";
import { createAuthProvider } from "./providers/auth-provider.ts";
import { createDataProvider } from "./providers/data-provider.ts";
import { SessionKeeper } from "./providers/session.ts";
import { kindOf, WORKFLOW_KINDS } from "./resources/workflows/workflow-kind.ts";
import { styleCache } from "./theme/style-cache.ts";
import { darkTheme, lightTheme } from "./theme/theme.ts";

const dataProvider = createDataProvider(api);
const frameWords = createFrameWords();
const authProvider = createAuthProvider(api, new SessionKeeper(api));

const WorkflowList = lazy(() =>
  import("./resources/workflows/workflow-list.tsx").then((m) => ({ default: m.WorkflowList })),
);
const WorkflowShow = lazy(() =>
  import("./resources/workflows/workflow-show.tsx").then((m) => ({ default: m.WorkflowShow })),
);
const WorkflowCreate = lazy(() =>
  import("./resources/workflows/workflow-create.tsx").then((m) => ({ default: m.WorkflowCreate })),
);
const WorkflowEdit = lazy(() =>
  import("./resources/workflows/workflow-edit.tsx").then((m) => ({ default: m.WorkflowEdit })),
);
const ExecutionList = lazy(() =>
  import("./resources/executions/execution-list.tsx").then((m) => ({ default: m.ExecutionList })),
);
const ExecutionShow = lazy(() =>
  import("./resources/executions/execution-show.tsx").then((m) => ({ default: m.ExecutionShow })),
);
const AiPage = lazy(() => import("./resources/ai/ai-page.tsx").then((m) => ({ default: m.AiPage })));
const AgentList = lazy(() => import("./resources/agents/agent-list.tsx").then((m) => ({ default: m.AgentList })));
const AgentShow = lazy(() => import("./resources/agents/agent-show.tsx").then((m) => ({ default: m.AgentShow })));
const AgentCreate = lazy(() => import("./resources/agents/agent-pages.tsx").then((m) => ({ default: m.AgentCreate })));
const AgentEdit = lazy(() => import("./resources/agents/agent-pages.tsx").then((m) => ({ default: m.AgentEdit })));
const ChatPage = lazy(() => import("./resources/chat/chat-page.tsx").then((m) => ({ default: m.ChatPage })));
const ComparePage = lazy(() =>
  import("./resources/executions/compare-page.tsx").then((m) => ({ default: m.ComparePage })),
);
const ReviewsPage = lazy(() =>
  import("./resources/reviews/reviews-page.tsx").then((m) => ({ default: m.ReviewsPage })),
);
const MemoryList = lazy(() =>
  import("./resources/agent-memory/memory-list.tsx").then((m) => ({ default: m.MemoryList })),
);
const MemoryShow = lazy(() =>
  import("./resources/agent-memory/memory-show.tsx").then((m) => ({ default: m.MemoryShow })),
);
const ToolList = lazy(() => import("./resources/tools/tool-list.tsx").then((m) => ({ default: m.ToolList })));
const ToolShow = lazy(() => import("./resources/tools/tool-show.tsx").then((m) => ({ default: m.ToolShow })));
const VectorStoreList = lazy(() =>
  import("./resources/vector-stores/store-list.tsx").then((m) => ({ default: m.VectorStoreList })),
);
const VectorStoreShow = lazy(() =>
  import("./resources/vector-stores/store-show.tsx").then((m) => ({ default: m.VectorStoreShow })),
);
const DocumentShow = lazy(() =>
  import("./resources/vector-stores/document-show.tsx").then((m) => ({ default: m.DocumentShow })),
);
const McpConnectionList = lazy(() =>
  import("./resources/mcp-connections/connection-list.tsx").then((m) => ({ default: m.McpConnectionList })),
);
const McpConnectionShow = lazy(() =>
  import("./resources/mcp-connections/connection-show.tsx").then((m) => ({ default: m.McpConnectionShow })),
);
const McpServerList = lazy(() =>
  import("./resources/mcp-servers/mcp-server-list.tsx").then((m) => ({ default: m.McpServerList })),
);
const McpServerShow = lazy(() =>
  import("./resources/mcp-servers/mcp-server-show.tsx").then((m) => ({ default: m.McpServerShow })),
);
const ApiKeyList = lazy(() => import("./resources/api-keys/api-key-list.tsx").then((m) => ({ default: m.ApiKeyList })));
const TriggerList = lazy(() =>
  import("./resources/triggers/trigger-list.tsx").then((m) => ({ default: m.TriggerList })),
);
const TriggerShow = lazy(() =>
  import("./resources/triggers/trigger-show.tsx").then((m) => ({ default: m.TriggerShow })),
);
const TriggerCreate = lazy(() =>
  import("./resources/triggers/trigger-pages.tsx").then((m) => ({ default: m.TriggerCreate })),
);
const TriggerEdit = lazy(() =>
  import("./resources/triggers/trigger-pages.tsx").then((m) => ({ default: m.TriggerEdit })),
);
const UserList = lazy(() => import("./resources/users/user-list.tsx").then((m) => ({ default: m.UserList })));
const TenantList = lazy(() => import("./resources/tenants/tenant-list.tsx").then((m) => ({ default: m.TenantList })));
const RoleList = lazy(() => import("./resources/roles/role-list.tsx").then((m) => ({ default: m.RoleList })));
const RoleCreate = lazy(() => import("./resources/roles/role-pages.tsx").then((m) => ({ default: m.RoleCreate })));
const RoleEdit = lazy(() => import("./resources/roles/role-pages.tsx").then((m) => ({ default: m.RoleEdit })));
const OthersAppList = lazy(() =>
  import("./resources/connected-apps/others-app-list.tsx").then((m) => ({ default: m.OthersAppList })),
);
const AuditLogList = lazy(() =>
  import("./resources/audit-log/audit-log-list.tsx").then((m) => ({ default: m.AuditLogList })),
);
const NotificationList = lazy(() =>
  import("./resources/notifications/notification-list.tsx").then((m) => ({ default: m.NotificationList })),
);
const NotificationRuleList = lazy(() =>
  import("./resources/notification-rules/rule-list.tsx").then((m) => ({ default: m.NotificationRuleList })),
);
const NotificationDeliveryList = lazy(() =>
  import("./resources/notification-rules/delivery-list.tsx").then((m) => ({ default: m.NotificationDeliveryList })),
);
const SecretList = lazy(() => import("./resources/secrets/secret-list.tsx").then((m) => ({ default: m.SecretList })));
const SystemPage = lazy(() => import("./resources/system/system-page.tsx").then((m) => ({ default: m.SystemPage })));
const EventList = lazy(() => import("./resources/events/event-list.tsx").then((m) => ({ default: m.EventList })));
const EditorPage = lazy(() => import("./editor/editor-page.tsx").then((m) => ({ default: m.EditorPage })));
const ImportPage = lazy(() => import("./resources/workflows/import-page.tsx").then((m) => ({ default: m.ImportPage })));
const FormatsPage = lazy(() => import("./formats/formats-page.tsx").then((m) => ({ default: m.FormatsPage })));
const LinearWorkflowPage = lazy(() =>
  import("./formats/linear/linear-workflow-page.tsx").then((m) => ({ default: m.LinearWorkflowPage })),
);
const SessionGraphPage = lazy(() =>
  import("./formats/session-graph-page.tsx").then((m) => ({ default: m.SessionGraphPage })),
);
const GraphSessionPage = lazy(() =>
  import("./formats/graph-session-page.tsx").then((m) => ({ default: m.GraphSessionPage })),
);
const AccountPage = lazy(() =>
  import("./resources/account/account-page.tsx").then((m) => ({ default: m.AccountPage })),
);

/** The whole dashboard. It runs in the browser only; real URLs, no hash. */
export function DashboardApp(): ReactElement {
  return (
    <CacheProvider value={styleCache}>
      <BrowserRouter>
        <Admin
          title="OVEN"
          dataProvider={dataProvider}
          authProvider={authProvider}
          i18nProvider={frameWords}
          loginPage={LoginPage}
          layout={AppLayout}
          loading={LoadingScreen}
          catchAll={NotFoundPage}
          dashboard={HomePage}
          theme={lightTheme}
          darkTheme={darkTheme}
          requireAuth
          disableTelemetry
        >
          <CustomRoutes noLayout>
            <Route path="/setup" element={<SetupPage />} />
            <Route path="/invitation" element={<InvitationPage />} />
            <Route path="/connect" element={<ConnectPage />} />
            {WORKFLOW_KINDS.map((kind) => (
              <Route
                key={kind.kind}
                path={`/${kind.resource}/:id/editor`}
                element={
                  <Suspense fallback={<LoadingScreen />}>
                    <EditorPage kind={kind} />
                  </Suspense>
                }
              />
            ))}
          </CustomRoutes>
          {WORKFLOW_KINDS.flatMap((kind) => [
            <Resource
              key={kind.resource}
              name={kind.resource}
              list={<WorkflowList kind={kind} />}
              create={<WorkflowCreate kind={kind} />}
              edit={<WorkflowEdit kind={kind} />}
              show={<WorkflowShow kind={kind} />}
            />,
            <Resource
              key={kind.executionResource}
              name={kind.executionResource}
              list={<ExecutionList kind={kind} />}
              show={<ExecutionShow kind={kind} />}
            />,
          ])}
          <Resource name="triggers" list={TriggerList} create={TriggerCreate} edit={TriggerEdit} show={TriggerShow} />
          <Resource name="agents" list={AgentList} create={AgentCreate} edit={AgentEdit} show={AgentShow} />
          <Resource name="agent-memory" list={MemoryList} show={MemoryShow} />
          <Resource name="tools" list={ToolList} edit={ToolShow} />
          <Resource name="vector-stores" list={VectorStoreList} edit={VectorStoreShow} />
          <Resource name="mcp-servers" list={McpServerList} show={McpServerShow} />
          <Resource name="mcp-connections" list={McpConnectionList} show={McpConnectionShow} />
          <Resource name="users" list={UserList} />
          <Resource name="tenants" list={TenantList} />
          <Resource name="roles" list={RoleList} create={RoleCreate} edit={RoleEdit} />
          <Resource name="api-keys" list={ApiKeyList} />
          <Resource name="secrets" list={SecretList} />
          <Resource name="connected-apps" list={OthersAppList} />
          <Resource name="audit-log" list={AuditLogList} />
          <Resource name="notifications" list={NotificationList} />
          <Resource name="notification-rules" list={NotificationRuleList} />
          <Resource name="notification-deliveries" list={NotificationDeliveryList} />
          <Resource name="events" list={EventList} />
          <CustomRoutes>
            <Route path="/account" element={<AccountPage />} />
            {WORKFLOW_KINDS.map(({ kind, executionResource }) => (
              <Route key={kind} path={`/${executionResource}/:id`} element={<ToRun kind={kind} />} />
            ))}
            {WORKFLOW_KINDS.map((kind) => (
              <Route
                key={kind.kind}
                path={`/${kind.executionResource}/:id/compare/:other`}
                element={<ComparePage kind={kind} />}
              />
            ))}
            {WORKFLOW_KINDS.map((kind) => (
              <Route key={kind.kind} path={`/${kind.resource}/import`} element={<ImportPage kind={kind} />} />
            ))}
            <Route path="/ai" element={<AiPage />} />
            <Route path="/chat" element={<ChatPage />} />
            <Route path="/chat/:id" element={<ChatPage />} />
            <Route path="/vector-stores/:id/documents/:documentId" element={<DocumentShow />} />
            <Route path="/system" element={<SystemPage />} />
            <Route path="/workflow-formats" element={<FormatsPage />} />
            <Route path="/linear-workflows/:workflow" element={<LinearWorkflowPage />} />
            <Route path="/session-graphs/:graph" element={<SessionGraphPage />} />
            <Route path="/graph-sessions/:session" element={<GraphSessionPage />} />
            <Route path="/reviews" element={<ReviewsPage />} />
            <Route path="/reviews/:id" element={<ReviewsPage />} />
          </CustomRoutes>
        </Admin>
      </BrowserRouter>
    </CacheProvider>
  );
}

/** Links in messages name the run, not the view of it. */
function ToRun({ kind }: { kind: ExecutionKind }): ReactElement {
  const { id = "" } = useParams();
  return <Navigate to={`/${kindOf(kind).executionResource}/${encodeURIComponent(id)}/show`} replace />;
}
