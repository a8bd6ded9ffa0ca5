import type { PersonData } from "@oven/module-registry";
import { userTableRows } from "./schema.ts";

/** A row is about a person where a value of it is their e-mail address. */
export const personData: PersonData = {
  holdings: [
    {
      table: userTableRows,
      title: "Rows of tables with the person's e-mail address",
      where:
        "s.email is not null and exists (select 1 from jsonb_each_text(r.cells) cell where lower(trim(cell.value)) = s.email)",
      erase: {
        how: "retain",
        why: "Rows are the tenant's own data, and others may refer to them: delete them in the table, which says what depends on them.",
      },
    },
  ],
  numbers: [],
};
