import { addToList } from "./add-to-list.ts";
import type { GeneratedFile } from "./generated-file.ts";
import { toCamel, toPascal, toTitle } from "./names.ts";

const SERVER_LIST = "packages/installation/src/modules.ts";
const PAGE_LIST = "apps/dashboard/src/ui-modules.ts";

const PICTURE = "docs/architecture.md";

/** What the templates need of a module's name. */
interface Names {
  /** `time-sheets`: folder, paths, permissions. */
  name: string;
  /** `timeSheets` */
  camel: string;
  /** `TimeSheets` */
  pascal: string;
  /** `Time sheets` */
  title: string;
}

/**
 * The package of a new module with a table, routes and a page, and its line in each of the two lists: that of the servers and that
 * of the pages.
 * @param given such as `billing`; `module-billing` means the same
 * @param read the text of a file of the repository
 */
export function generateModule(given: string, read: (path: string) => string): GeneratedFile[] {
  const name = given.replace(/^module-/, "");
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(`${JSON.stringify(given)} is not a module name; use lower-case letters, digits and single dashes`);
  }
  const names: Names = { name, camel: toCamel(name), pascal: toPascal(name), title: toTitle(name) };
  const file = (path: string, text: string): GeneratedFile => ({
    path: `packages/module-${name}/${path}`,
    text,
    kind: "new",
  });
  const changed = (path: string, text: string): GeneratedFile => ({ path, text, kind: "changed" });
  const create = `create${names.pascal}Module`;
  return [
    file("package.json", manifest(names)),
    file("src/menu.ts", menu(names)),
    file("src/shapes.ts", shapes(names)),
    file("src/schema.ts", schema(names)),
    file(`src/${name}.routes.ts`, routes(names)),
    file(`src/${name}.module.ts`, moduleSource(names)),
    file(`src/${name}.module.test.ts`, moduleTest(names)),
    file("src/ui/index.tsx", pages(names)),
    file(`src/ui/${name}-list.tsx`, listPage(names)),
    file("i18n/de.json", german(names)),
    changed(
      SERVER_LIST,
      addToList(read(SERVER_LIST), { entry: `${create}()`, value: create, from: `@oven/module-${name}` }),
    ),
    changed(
      PAGE_LIST,
      addToList(read(PAGE_LIST), {
        entry: `${names.camel}Ui`,
        value: `${names.camel}Ui`,
        from: `@oven/module-${name}/ui`,
      }),
    ),
    changed(PICTURE, withPackage(read(PICTURE), names)),
    ...["packages/installation/package.json", "apps/dashboard/package.json"].map((path) =>
      changed(path, withDependency(read(path), `@oven/module-${name}`)),
    ),
  ];
}

/** The picture of the packages with one module more. */
function withPackage(page: string, { name, camel, title }: Names): string {
  const end = page.indexOf("  end\n  registry[");
  if (end < 0) throw new Error(`${PICTURE} has no picture of the modules`);
  return `${page.slice(0, end)}    ${camel}["module-${name}<br/>${title.toLowerCase()}"]\n${page.slice(end)}`;
}

function withDependency(text: string, dependency: string): string {
  const parsed = JSON.parse(text);
  const entries = Object.entries({ ...parsed.dependencies, [dependency]: "workspace:*" });
  parsed.dependencies = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify(parsed, null, 2)}\n`;
}

function manifest({ name, title }: Names): string {
  const json = {
    name: `@oven/module-${name}`,
    version: "0.1.0",
    private: true,
    description: `${title}.`,
    type: "module",
    exports: {
      ".": `./src/${name}.module.ts`,
      "./schema": "./src/schema.ts",
      "./ui": "./src/ui/index.tsx",
    },
    dependencies: {
      "@oven/contract": "workspace:*",
      "@oven/db": "workspace:*",
      "@oven/module-registry": "workspace:*",
      zod: "catalog:",
    },
    devDependencies: {
      "@mui/icons-material": "catalog:",
      "@mui/material": "catalog:",
      "@oven/i18n": "workspace:*",
      "@oven/module-roles": "workspace:*",
      "@oven/testing": "workspace:*",
      "@oven/ui": "workspace:*",
      "@types/react": "catalog:",
      react: "catalog:",
      "react-admin": "catalog:",
    },
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

function menu({ name, title }: Names): string {
  return `import type { MenuItem, ResourceInfo } from "@oven/contract/system";

/** Lists of the API. */
export const resources: ResourceInfo[] = [{ name: "${name}", title: "${title}" }];

/** What the dashboard's menu shows. */
export const menuItems: MenuItem[] = [
  { section: "Start", order: 900, title: "${title}", to: "/${name}", permissions: ["${name}.read"] },
];
`;
}

function shapes({ pascal }: Names): string {
  return `import { z } from "zod";

/** A row as the API shows it. */
export const ${pascal}Schema = z.object({
  id: z.int(),
  name: z.string(),
  /** ISO 8601 */
  createdAt: z.string(),
});
export type ${pascal} = z.infer<typeof ${pascal}Schema>;

/** What is sent to make a row. */
export const Create${pascal}Schema = z.object({ name: z.string().min(1).max(200) });
`;
}

function schema({ name, camel }: Names): string {
  const table = name.replaceAll("-", "_");
  return `import { createdAtColumn, idColumn, tenantColumn } from "@oven/db";
import { index, pgTable, text } from "@oven/db/pg-core";

/** Each row belongs to a tenant; others never see it. */
export const ${camel} = pgTable(
  "${table}",
  { id: idColumn(), tenantId: tenantColumn(), name: text("name").notNull(), createdAt: createdAtColumn() },
  (table) => [index("${table}_tenant").on(table.tenantId, table.id)],
);
`;
}

function routes({ name, camel, pascal, title }: Names): string {
  const noun = title.toLowerCase();
  return `import { notFound } from "@oven/contract";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  listRows,
  noContent,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { ${camel} } from "./schema.ts";
import { Create${pascal}Schema, type ${pascal}, ${pascal}Schema } from "./shapes.ts";

const to${pascal} = ({ id, name, createdAt }: typeof ${camel}.$inferSelect): ${pascal} => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
});

/** @param db the module's database once a runtime has started it */
export function ${camel}Routes(db: () => Database): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "${name}",
      operation: "list",
      summary: "List ${noun}",
      access: { permission: "${name}.read" },
      effect: "pure",
      query: ListQuerySchema,
      response: z.array(${pascal}Schema),
      handler: async ({ principal, query }) => {
        const params = toListParams(query);
        const { id, name, createdAt, tenantId: tenant } = ${camel};
        const listing = { table: ${camel}, fields: { id, name, createdAt }, search: [name], tenant };
        const { rows, total } = await listRows(db().orm, principal, params, listing);
        return listReply("${name}", params, rows.map(to${pascal}), total);
      },
    }),
    defineRoute({
      method: "POST",
      path: "${name}",
      operation: "create",
      summary: "Make an entry of ${noun}",
      access: { permission: "${name}.create" },
      effect: "at-least-once",
      body: Create${pascal}Schema,
      response: ${pascal}Schema,
      handler: async ({ principal, body }) => {
        const values = { tenantId: principal.tenantId, ...body };
        const [row] = await db().orm.insert(${camel}).values(values).returning();
        if (row === undefined) throw new Error("an insert answered no row");
        return created(to${pascal}(row));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "${name}/[id]",
      operation: "delete",
      summary: "Delete an entry of ${noun}",
      access: { permission: "${name}.delete" },
      effect: "at-least-once",
      params: z.object({ id: z.coerce.number().int().positive() }),
      handler: async ({ principal, params: { id } }) => {
        const own = and(eq(${camel}.id, id), eq(${camel}.tenantId, principal.tenantId));
        const gone = await db().orm.delete(${camel}).where(own).returning({ id: ${camel}.id });
        if (gone.length === 0) throw notFound("entry", id);
        return noContent();
      },
    }),
  ];
}
`;
}

function moduleSource({ name, camel, pascal, title }: Names): string {
  const noun = title.toLowerCase();
  return `import type { Database } from "@oven/db";
import { defineModule, type ModuleDefinition, READING_ROLES, RUNNING_ROLES } from "@oven/module-registry";
import { menuItems, resources } from "./menu.ts";
import * as schema from "./schema.ts";
import { ${camel}Routes } from "./${name}.routes.ts";

/** ${title}. */
export function create${pascal}Module(): ModuleDefinition {
  let db: Database | undefined;
  const ready = () => {
    if (db === undefined) throw new Error("module-${name} was not started by a runtime");
    return db;
  };
  return defineModule({
    name: "module-${name}",
    namespace: "${name}",
    description: "${title}.",
    dependencies: ["module-registry"],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: [
      { id: "${name}.read", title: "See ${noun}", roles: READING_ROLES },
      { id: "${name}.create", title: "Make ${noun}", roles: RUNNING_ROLES },
      { id: "${name}.delete", title: "Delete ${noun}", roles: RUNNING_ROLES },
    ],
    resources,
    menuItems,
    routes: ${camel}Routes(ready),
    services: async (deps) => {
      db = deps.db;
      return {};
    },
  });
}
`;
}

function moduleTest({ name, pascal }: Names): string {
  const create = `create${pascal}Module`;
  return `import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven } from "@oven/testing";
import { expect, it } from "vitest";
import { ${create} } from "./${name}.module.ts";

it("keeps what is made, until it is deleted", async () => {
  const modules = [createSystemModule(), createRolesModule(), ${create}()];
  const oven = await startTestOven({ createRuntime, modules });
  try {
    const made = await oven.call("POST", "${name}", { name: "First" });
    expect(made.status).toBe(201);
    expect((await oven.call("GET", "${name}")).body).toEqual([made.body]);
    expect((await oven.call("POST", "${name}", { name: "" })).status).toBe(400);
    expect((await oven.call("DELETE", \`${name}/\${made.body.id}\`)).status).toBe(204);
    expect((await oven.call("GET", "${name}")).body).toEqual([]);
    expect((await oven.call("DELETE", \`${name}/\${made.body.id}\`)).status).toBe(404);
  } finally {
    await oven.stop();
  }
});
`;
}

function pages({ name, camel, pascal, title }: Names): string {
  return `import WidgetsOutlined from "@mui/icons-material/WidgetsOutlined";
import { lazyPage, type UiModule } from "@oven/ui/ui-module.ts";
import { menuItems, resources } from "../menu.ts";

/** ${title}. */
export const ${camel}Ui: UiModule = {
  resources,
  menuItems,
  icons: { "/${name}": WidgetsOutlined },
  resourcePages: { ${key(name)}: { list: lazyPage(() => import("./${name}-list.tsx"), "${pascal}List") } },
  words: { de: () => import("../../i18n/de.json", { with: { type: "json" } }) },
};
`;
}

/** A name as the key of an object. */
function key(name: string): string {
  return name.includes("-") ? `"${name}"` : name;
}

function listPage({ name, pascal, title }: Names): string {
  const noun = title.toLowerCase();
  return `import AddRounded from "@mui/icons-material/AddRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import WidgetsOutlined from "@mui/icons-material/WidgetsOutlined";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { ListBase, useListContext, useRefresh } from "react-admin";
import type { ${pascal} } from "../shapes.ts";

/** ${title}: what there is, and a dialog that makes more. */
export function ${pascal}List(): ReactElement {
  const [creating, setCreating] = useState(false);
  const refresh = useRefresh();
  const create = useCan("${name}.create") ? (
    <Button variant="contained" startIcon={<AddRounded />} onClick={() => setCreating(true)}>
      {t("New entry in ${noun}")}
    </Button>
  ) : null;
  return (
    <ListBase resource="${name}" sort={{ field: "id", order: "DESC" }} perPage={25}>
      <PageHeader title={t("${title}")} line={t("What ${noun} are for.")} actions={create} />
      <ListBody
        noun={t("${noun}")}
        filters={<SearchField label={t("Search ${noun}")} />}
        empty={
          <EmptyState
            icon={<WidgetsOutlined />}
            title={t("No ${noun} yet")}
            text={t("What ${noun} are for.")}
            action={create}
          />
        }
      >
        <Rows />
      </ListBody>
      {creating ? (
        <CreateDialog
          onClose={() => {
            setCreating(false);
            refresh();
          }}
        />
      ) : null}
    </ListBase>
  );
}

function Rows(): ReactElement {
  const { data = [] } = useListContext<${pascal}>();
  const [deleting, setDeleting] = useState<${pascal} | null>(null);
  const mayDelete = useCan("${name}.delete");
  const refresh = useRefresh();
  return (
    <>
      <RowList label={t("${title}")}>
        {data.map((row) => (
          <RowItem key={row.id}>
            <RowPart basis={220} grow={1}>
              {row.name}
            </RowPart>
            <RowPart basis={150} quiet>
              <RelativeTime at={row.createdAt} />
            </RowPart>
            {mayDelete ? (
              <IconButton aria-label={t("Delete {{name}}", { name: row.name })} onClick={() => setDeleting(row)}>
                <DeleteOutlineRounded sx={{ fontSize: 20 }} />
              </IconButton>
            ) : null}
          </RowItem>
        ))}
      </RowList>
      <ConfirmDialog
        open={deleting !== null}
        title={t("Delete “{{name}}”?", { name: deleting?.name ?? "" })}
        text={t("The entry in ${noun} cannot be brought back.")}
        confirmLabel={t("Delete")}
        onClose={() => setDeleting(null)}
        onConfirm={async () => {
          await api(\`${name}/\${deleting?.id}\`, { method: "DELETE" });
          refresh();
        }}
      />
    </>
  );
}

function CreateDialog({ onClose }: { onClose: () => void }): ReactElement {
  const [name, setName] = useState("");
  return (
    <FormDialog
      title={t("New entry in ${noun}")}
      submitLabel={t("Save")}
      failureTitle={t("The entry in ${noun} was not made")}
      usable={name.trim() !== ""}
      onClose={onClose}
      onSubmit={async () => {
        await api("${name}", { method: "POST", body: { name } });
        onClose();
      }}
    >
      <TextField autoFocus fullWidth label={t("Name")} value={name} onChange={(event) => setName(event.target.value)} />
    </FormDialog>
  );
}
`;
}

function german({ title }: Names): string {
  const noun = title.toLowerCase();
  const words = {
    [title]: title,
    [noun]: title,
    [`What ${noun} are for.`]: `Wozu ${title} da sind.`,
    [`New entry in ${noun}`]: `Neuer Eintrag in ${title}`,
    [`No ${noun} yet`]: `Noch keine Einträge in ${title}`,
    [`Search ${noun}`]: `${title} durchsuchen`,
    [`The entry in ${noun} cannot be brought back.`]: `Der Eintrag in ${title} lässt sich nicht zurückholen.`,
    [`The entry in ${noun} was not made`]: `Der Eintrag in ${title} wurde nicht angelegt`,
  };
  return `${JSON.stringify(words, Object.keys(words).sort(), 2)}\n`;
}
