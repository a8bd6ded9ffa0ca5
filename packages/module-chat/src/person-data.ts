import type { PersonData } from "@oven/module-registry";
import { chatSessions, chatTurns } from "./schema.ts";

/** A chat is a person's, or that of a key of theirs. */
const OWN =
  "(r.owner = 'user:' || s.user_id or r.owner in (select 'api-key:' || id from api_keys where reference_id = s.user_id::text))";

/** Chats, with the runs that answered in them. */
export const personData: PersonData = {
  holdings: [
    {
      table: chatTurns,
      title: "Messages of chats",
      where: `r.session_id in (select id from chat_sessions r where r.tenant_id = s.tenant_id and ${OWN})`,
      hidden: ["idempotency_key"],
      erase: {
        how: "remove",
        remove: async ({ db, services }, { tenantId, userId }) => {
          const turns = await db.system.query<{ id: number; run: number | null }>(
            `select t.id, t.execution_id as run from chat_turns t join chat_sessions r on r.id = t.session_id,
               (select $1::integer as tenant_id, $2::bigint as user_id) s
             where r.tenant_id = s.tenant_id and ${OWN}`,
            [tenantId, userId],
          );
          const runs = turns.flatMap(({ run }) => (run === null ? [] : [run]));
          const { left } = await services.workflowPlatform.retention.removeAll(tenantId, runs);
          await db.system.query("delete from chat_turns where id = any($1::bigint[])", [turns.map(({ id }) => id)]);
          return { removed: turns.length, left };
        },
      },
    },
    { table: chatSessions, title: "Chats of the person", where: OWN, erase: { how: "delete" } },
  ],
  numbers: [],
};
