import type { SecretRotation } from "@oven/contract/access";
import type { Database } from "@oven/db";
import { and, eq } from "@oven/db/drizzle";
import type { SecretService } from "@oven/module-registry";
import { z } from "zod";
import type { SignInMemory, SignInStore } from "../client/sign-in.ts";
import { mcpCredentials } from "../schema.ts";

const Memory = z.looseObject({});

/** Tokens and registrations of connections: sealed in the database, in the clear only while they are used. */
export class Credentials {
  readonly #db: Database;
  readonly #secrets: SecretService;

  constructor(db: Database, secrets: SecretService) {
    this.#db = db.system;
    this.#secrets = secrets;
    secrets.sealed.onRotate((tenantId) => this.#rotate(tenantId));
  }

  of(tenantId: number, connectionId: number): SignInStore {
    return {
      read: async () => this.#open(tenantId, connectionId, (await this.#find(tenantId, connectionId))?.sealed),
      write: async (memory) => {
        const sealed = this.#secrets.sealed.seal(tenantId, nameOf(connectionId), JSON.stringify(memory));
        await this.#db.orm
          .insert(mcpCredentials)
          .values({ tenantId, connectionId, sealed })
          .onConflictDoUpdate({
            target: [mcpCredentials.tenantId, mcpCredentials.connectionId],
            set: { sealed, updatedAt: new Date() },
          });
      },
    };
  }

  async forget(tenantId: number, connectionId: number): Promise<void> {
    await this.#db.orm
      .delete(mcpCredentials)
      .where(and(eq(mcpCredentials.tenantId, tenantId), eq(mcpCredentials.connectionId, connectionId)));
  }

  async #find(tenantId: number, connectionId: number) {
    const [row] = await this.#db.orm
      .select()
      .from(mcpCredentials)
      .where(and(eq(mcpCredentials.tenantId, tenantId), eq(mcpCredentials.connectionId, connectionId)));
    return row;
  }

  /** What cannot be opened is as if nobody had signed in. */
  #open(tenantId: number, connectionId: number, sealed: string | undefined): SignInMemory {
    const text = sealed === undefined ? undefined : this.#secrets.sealed.open(tenantId, nameOf(connectionId), sealed);
    return text === undefined ? {} : (Memory.parse(JSON.parse(text)) as SignInMemory); // cast: as `write` kept it
  }

  async #rotate(tenantId: number | undefined): Promise<SecretRotation> {
    const rows = await this.#db.orm
      .select()
      .from(mcpCredentials)
      .where(tenantId === undefined ? undefined : eq(mcpCredentials.tenantId, tenantId));
    const result: SecretRotation = { rotated: 0, unreadable: [] };
    const { sealed } = this.#secrets;
    for (const row of rows.filter((one) => !sealed.isPresent(one.sealed))) {
      const name = nameOf(row.connectionId);
      const text = sealed.open(row.tenantId, name, row.sealed);
      if (text === undefined) {
        result.unreadable.push(name);
        continue;
      }
      await this.#db.orm
        .update(mcpCredentials)
        .set({ sealed: sealed.seal(row.tenantId, name, text) })
        .where(and(eq(mcpCredentials.id, row.id), eq(mcpCredentials.sealed, row.sealed)));
      result.rotated++;
    }
    return result;
  }
}

function nameOf(connectionId: number): string {
  return `mcp-connection/${connectionId}`;
}
