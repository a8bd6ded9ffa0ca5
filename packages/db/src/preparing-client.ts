import type pg from "pg";
import { FrequentStatements } from "./frequent-statements.ts";
import { GatheringClient } from "./gathering-client.ts";
import { isBeginWithin } from "./tenant-wall.ts";
import { type Statement, WALL_STATEMENT, type Wall } from "./walled-query.ts";

const WALL = "oven_wall";

/**
 * A client class that prepares what is asked again and again once per connection, whoever asks: the server then neither parses
 * nor plans it each time. For connections that stay with one session; a pooler gives each statement another one.
 */
export function preparingClient(): typeof pg.Client {
  const frequent = new FrequentStatements();
  // A plan holds for one role, behind the wall between tenants or before it: each has its own.
  const nameWithin = (text: string): string | undefined => {
    const name = frequent.nameOf(text);
    return name === undefined ? undefined : `${name}t`;
  };
  return class PreparingClient extends GatheringClient {
    #isWithinTenant = false;
    #knowsWall = false;

    // biome-ignore lint/suspicious/noExplicitAny: the overloads of node-postgres; whatever came is handed on
    override query(statement: any, ...rest: any[]): any {
      const values: unknown = rest[0];
      if (typeof statement === "string" && !Array.isArray(values)) this.#noteRole(statement);
      // Without values a text may be several statements, which cannot be prepared.
      else if (isPlain(statement) && Array.isArray(values) && values.length > 0)
        return super.query(this.#named(typeof statement === "string" ? { text: statement } : statement), ...rest);
      else if (isPlain(statement) && hasValues(statement)) return super.query(this.#named(statement), ...rest);
      return super.query(statement, ...rest);
    }

    override queryWithin(wall: Wall, statement: Statement, values: unknown[]): Promise<pg.QueryResult> {
      if (!this.#knowsWall) this.#prepareWall();
      return this.sendWithin(wall, { ...statement, values, name: nameWithin(statement.text) }, WALL);
    }

    #prepareWall(): void {
      this.#knowsWall = true;
      super.query(`prepare ${WALL} (text, text) as ${WALL_STATEMENT}`).catch(() => {
        this.#knowsWall = false; // whatever was sent behind it fails too, and tells
      });
    }

    #named<T extends Statement>(statement: T): T {
      const name = this.#isWithinTenant ? nameWithin(statement.text) : frequent.nameOf(statement.text);
      return name === undefined ? statement : { ...statement, name };
    }

    #noteRole(text: string): void {
      if (isBeginWithin(text)) this.#isWithinTenant = true;
      else if (/^(begin|commit|rollback)$/i.test(text)) this.#isWithinTenant = false;
    }
  };
}

/** Neither named already nor a query of its own making. */
function isPlain(statement: string | (Statement & { submit?: unknown })): boolean {
  return typeof statement === "string" || (statement.name === undefined && statement.submit === undefined);
}

function hasValues(statement: Statement | string): statement is Statement & { values: unknown[] } {
  return (
    typeof statement === "object" &&
    "values" in statement &&
    Array.isArray(statement.values) &&
    statement.values.length > 0
  );
}
