import type { Database } from "@oven/db";
// What they put into `services`.
import type {} from "@oven/module-agent-core";
import { defineModule, type ModuleDefinition, WorkLoop } from "@oven/module-registry";
import type {} from "@oven/module-workflows";
import { TableReader } from "./definitions/table-reader.ts";
import { TableService } from "./definitions/table-service.ts";
import { RowImport } from "./files/import-rows.ts";
import { menuItems, resources } from "./menu.ts";
import { deleteNode } from "./nodes/delete.node.ts";
import { findNode } from "./nodes/find.node.ts";
import { insertNode } from "./nodes/insert.node.ts";
import { updateNode } from "./nodes/update.node.ts";
import { upsertNode } from "./nodes/upsert.node.ts";
import { tablePermissions } from "./permissions.ts";
import { personData } from "./person-data.ts";
import { fileRoutes } from "./routes/file.routes.ts";
import { rowRoutes } from "./routes/row.routes.ts";
import { tableRoutes } from "./routes/table.routes.ts";
import { toolRoutes } from "./routes/tool.routes.ts";
import { rowEvents } from "./rows/row-events.ts";
import { RowLimits, tableConfigKeys } from "./rows/row-limits.ts";
import { RowService } from "./rows/row-service.ts";
import * as schema from "./schema.ts";
import { tableResources } from "./table-resources.ts";
import { TableToolCaller } from "./tools/tool-caller.ts";
import { createTableTools } from "./tools/tool-catalogue.ts";
import { TableToolService } from "./tools/tool-service.ts";
import { TOOL_NAMESPACE } from "./tools/tool-shape.ts";
import { rowTrigger } from "./triggers/row.trigger.ts";

export interface TablesFace {
  definitions: TableService;
  rows: RowService;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    tables: TablesFace;
  }
}

interface State extends TablesFace {
  tools: TableToolService;
  refreshing: WorkLoop;
  db: Database;
  reader: TableReader;
  imports: RowImport;
}

/** Tables that a tenant makes for its workflows, agents and people. */
export function createTablesModule(): ModuleDefinition {
  let state: State | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-tables was not started by a runtime");
    return state;
  };
  return defineModule({
    name: "module-tables",
    namespace: "tables",
    description: "Tables with typed columns, for workflows, agents and people.",
    dependencies: ["module-registry", "module-workflows", "module-agent-core"],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: tablePermissions,
    configSchema: tableConfigKeys,
    resources,
    menuItems,
    personData,
    nodes: [findNode, insertNode, updateNode, upsertNode, deleteNode],
    triggers: [rowTrigger],
    events: { emits: rowEvents, listeners: {} },
    routes: [
      ...tableRoutes(() => ready().definitions),
      ...rowRoutes(() => ready().rows),
      ...fileRoutes(ready),
      ...toolRoutes(() => ready().tools),
    ],
    services: async ({ db, services }) => {
      const reader = new TableReader(db);
      const catalogue = createTableTools(db, () => services.workflowPlatform.policies.forget());
      const refreshing = new WorkLoop("reading the tools of tables", () => catalogue.refresh(), { db });
      const onChange = () => catalogue.refresh();
      const definitions = new TableService({ db, reader, onChange });
      const limits = new RowLimits(services.config);
      const rows = new RowService({ db, events: services.events, tables: reader, limits });
      const caller = new TableToolCaller(db, rows);
      services.tools.addSource(TOOL_NAMESPACE, {
        list: (tenantId) => catalogue.list(tenantId),
        call: (id, args, options) => caller.call(id, args, options),
      });
      await catalogue.refresh();
      services.workflowPlatform.resources.add(tableResources({ definitions, rows }));
      services.workflowPlatform.retention.add({
        table: "user_table_writes",
        since: "created_at",
        setting: { module: "module-workflows", key: "RETENTION_RUN_DETAIL_DAYS" },
      });
      const tools = new TableToolService({ db, reader, onChange });
      state = { definitions, rows, tools, refreshing, db, reader, imports: new RowImport(reader, rows) };
      return { tables: { definitions, rows } };
    },
    start: async () => ready().refreshing.start(),
    stop: async () => ready().refreshing.stop(),
  });
}
