import { OvenError } from "@oven/contract";
import { and, not, or, type SQL, sql } from "@oven/db/drizzle";
import { reviews, reviewVotes } from "../tables/shared-run-tables.ts";
import type { Reviewer } from "./reviewer.ts";

/** The condition of `filter.mine`. @throws OvenError INVALID_LIST_QUERY 400 */
export function isMine({ names, userId }: Reviewer, wanted: unknown): SQL | undefined {
  if (typeof wanted !== "boolean") {
    throw new OvenError("INVALID_LIST_QUERY", "`filter` takes true or false for `mine`", {
      path: "$query.filter",
      fix: 'Use ?filter={"mine":true,"status":"open"}.',
    });
  }
  const asked = or(
    sql`json_array_length(${reviews.assignees}) = 0`,
    sql`exists (select 1 from json_array_elements_text(${reviews.assignees}) a where lower(a) in (${list([...names])}))`,
  );
  const own = sql`(coalesce((${reviews.policy} ->> 'notRequester')::boolean, false) 
    and (${reviews.requestedBy} = ${userId} or ${userId}::bigint in (select json_array_elements_text(${reviews.requesters})::bigint))) is true`;
  const voted = sql`exists (select 1 from ${reviewVotes} v where v.review_id = ${reviews.id} and v.round = ${reviews.round}
    and v.user_id = ${userId} and ${reviews.status} = 'open')`;
  const mine = and(asked, not(own), not(voted));
  return mine === undefined || wanted ? mine : not(mine);
}

function list(names: readonly string[]): SQL {
  return names.length === 0
    ? sql`null`
    : sql.join(
        names.map((name) => sql`${name}`),
        sql`, `,
      );
}
