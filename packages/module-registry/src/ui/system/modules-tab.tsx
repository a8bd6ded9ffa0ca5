import Box from "@mui/material/Box";
import type { InstalledModule } from "@oven/contract/system";
import { t, tx } from "@oven/i18n";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { Answered } from "./answered.tsx";
import { Fact, Fold } from "./fold.tsx";

/** Each module with what it brings. */
export function ModulesTab(): ReactElement {
  const answer = useAnswer<InstalledModule[]>("installation/modules");
  return (
    <Answered answer={answer} what={t("The modules")}>
      {(modules) => modules.map((module) => <Module key={module.name} module={module} />)}
    </Answered>
  );
}

function count(number: number, one: string): string {
  return `${number} ${number === 1 ? one : `${one}s`}`;
}

function Module({ module }: { module: InstalledModule }): ReactElement {
  const { tables, migrations, migratedAt, permissions, routes, nodes, tools } = module;
  const brings = [
    ...(migrations === null ? [] : [count(tables.length, "table"), count(migrations, "migration")]),
    count(routes.length, "route"),
    ...(nodes.length === 0 ? [] : [count(nodes.length, "node")]),
    ...(tools.length === 0 ? [] : [count(tools.length, "tool")]),
  ];
  return (
    <Fold title={module.name} line={`${module.description} ${brings.join(", ")}.`}>
      {() => (
        <>
          {migrations === null ? null : (
            <Fact name={t("Tables")}>
              <Names of={tables} />
              <Box sx={{ mt: 0.5, fontSize: 13, color: "text.secondary" }}>
                {tx("{{migrations}} applied, the newest written {{time}}", {
                  migrations: count(migrations, "migration"),
                  time: <RelativeTime at={migratedAt} />,
                })}
              </Box>
            </Fact>
          )}
          {module.dependencies.length === 0 ? null : (
            <Fact name={t("Needs")}>
              <Names of={module.dependencies} />
            </Fact>
          )}
          {permissions.length === 0 ? null : (
            <Fact name={t("Permissions")}>
              <Pairs rows={permissions.map(({ id, title }) => [id, title])} />
            </Fact>
          )}
          {nodes.length === 0 ? null : (
            <Fact name={t("Nodes")}>
              <Names of={nodes} />
            </Fact>
          )}
          {tools.length === 0 ? null : (
            <Fact name={t("Tools")}>
              <Names of={tools} />
            </Fact>
          )}
          {module.emits.length === 0 ? null : (
            <Fact name={t("Emits")}>
              <Names of={module.emits} />
            </Fact>
          )}
          {module.listensTo.length === 0 ? null : (
            <Fact name={t("Listens to")}>
              <Names of={module.listensTo} />
            </Fact>
          )}
          <Fact name={t("Routes")}>
            <Pairs
              rows={routes.map(({ method, path, summary, access }) => [
                `${method} /api/${path}`,
                `${summary} (${access})`,
              ])}
            />
          </Fact>
        </>
      )}
    </Fold>
  );
}

function Names({ of }: { of: readonly string[] }): ReactElement {
  return (
    <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5, lineHeight: "20px", overflowWrap: "anywhere" }}>
      {of.join(", ")}
    </Box>
  );
}

function Pairs({ rows }: { rows: readonly (readonly [string, string])[] }): ReactElement {
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none", fontSize: 13, lineHeight: "20px" }}>
      {rows.map(([name, text]) => (
        <Box
          component="li"
          key={name}
          sx={{
            display: "grid",
            columnGap: 2,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 2fr) minmax(0, 3fr)" },
          }}
        >
          <Box component="span" sx={{ fontFamily: MONOSPACE, fontSize: 12.5, overflowWrap: "anywhere" }}>
            {name}
          </Box>
          <Box component="span" sx={{ color: "text.secondary", overflowWrap: "anywhere" }}>
            {text}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
