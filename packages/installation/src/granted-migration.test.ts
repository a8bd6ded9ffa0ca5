import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { migrate } from "@oven/db";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { installedModules } from "./modules.ts";

interface MigrationSet {
  name: string;
  folder: URL;
}

const SETS: readonly MigrationSet[] = installedModules({ demo: false }).flatMap(({ name, migrations }) =>
  migrations === undefined ? [] : [{ name, folder: migrations }],
);

/** The migrations of before the one that brought grants. */
function before({ name, folder }: MigrationSet): MigrationSet {
  const path = mkdtempSync(join(tmpdir(), "oven-before-granted-"));
  cpSync(fileURLToPath(folder), path, { recursive: true });
  const file = join(path, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8")) as { entries: { tag: string }[] }; // cast: as drizzle-kit writes it
  const place = journal.entries.findIndex(({ tag }) => tag.endsWith("_granted"));
  const entries = place < 0 ? journal.entries : journal.entries.slice(0, place);
  writeFileSync(file, JSON.stringify({ ...journal, entries }));
  return { name, folder: pathToFileURL(path) };
}

describe.each(testDatabases(inject("postgresUrl")))(
  "a database of before versions had grants, on $name",
  ({ open }) => {
    let test: TestDatabase;
    const query = (sql: string, values?: unknown[]) => test.db.query<{ id: number }>(sql, values);
    beforeAll(async () => {
      test = await open({ migrated: false });
      await migrate(test.db, SETS.map(before));
      await query(
        "insert into roles (name, title, permissions, tenant_id) values ('author', 'Author', '{a.read,b.run}', 0)",
      );
      await query("insert into roles (name, title, permissions, tenant_id) values ('helper', 'Helper', '{c.read}', 1)");
      const person = async (email: string, roles: string[]) => {
        const [user] = await query("insert into users (name, email, tenant_id) values ('A', $1, 1) returning id", [
          email,
        ]);
        for (const role of roles)
          await query("insert into user_roles (user_id, role, tenant_id) values ($1, $2, 1)", [user?.id, role]);
        return user?.id ?? null;
      };
      const authors = [
        await person("both@example.com", ["author", "helper"]),
        await person("none@example.com", []),
        null,
      ];
      for (const [index, author] of authors.entries()) {
        for (const [table, versions, column] of [
          ["workflows", "workflow_versions", "workflow_id"],
          ["agent_workflows", "agent_workflow_versions", "agent_workflow_id"],
        ]) {
          const [row] = await query(
            `insert into ${table} (name, slug, definition, tenant_id, created_by) values ('W', $1, '{}', 1, $2) returning id`,
            [`w-${index}`, author],
          );
          await query(
            `insert into ${versions} (${column}, version, definition, content_hash, tenant_id, created_by)
           values ($1, 1, '{}', '', 1, $2)`,
            [row?.id, author],
          );
        }
      }
      await migrate(test.db, SETS);
    }, 120_000);
    afterAll(() => test.close());

    it.each(["workflow_versions", "agent_workflow_versions"])(
      "gives %s what the roles of their author permit, and everything to those of the installation itself",
      async (table) => {
        const rows = await test.db.query(
          `select array(select p from unnest(granted) p order by p) as granted from ${table} order by id`,
        );
        expect(rows).toEqual([{ granted: ["a.read", "b.run", "c.read"] }, { granted: [] }, { granted: ["*"] }]);
      },
    );
  },
);
