import pg from "pg";
import { FrequentStatements } from "./frequent-statements.ts";
import { RlsQuery } from "./rls-query.ts";
import { isBeginWithin } from "./row-level-security.ts";

/** A statement as callers of node-postgres and the query builder give it. */
interface Statement extends pg.QueryConfig {
  submit?: unknown;
}

/**
 * A client class that prepares frequent statements once per connection, so that the server does not parse and plan them each time. For
 * connections that keep one session; a transaction pooler gives each statement another session.
 */
export function preparingClient(): typeof pg.Client {
  const frequent = new FrequentStatements();
  // A plan is made for one role, so statements with and without row-level security have separate names.
  const nameWithin = (text: string): string | undefined => {
    const name = frequent.nameOf(text);
    return name === undefined ? undefined : `${name}t`;
  };
  return class PreparingClient extends pg.Client {
    #isWithinTenant = false;

    // biome-ignore lint/suspicious/noExplicitAny: the overloads of node-postgres; arguments and result are handed on
    override query(statement: any, ...rest: any[]): any {
      if (typeof statement === "string") this.#noteRole(statement);
      if (statement instanceof RlsQuery) {
        statement.keepsSession = true;
        statement.name = nameWithin(statement.text);
      }
      const named = this.#named(statement, rest);
      return named === undefined ? super.query(statement, ...rest) : super.query(named, ...rest);
    }

    /** The statement under the name it is prepared with. @returns undefined when it is not prepared, or has a name */
    #named(statement: string | Statement, rest: readonly unknown[]): pg.QueryConfig | undefined {
      const given: Statement = typeof statement === "string" ? { text: statement } : statement;
      if (given.submit !== undefined || given.name !== undefined) return undefined;
      const values = rest.find((each) => Array.isArray(each)) ?? given.values;
      // Without values a text may be several statements, which cannot be prepared.
      if (!Array.isArray(values) || values.length === 0) return undefined;
      const name = this.#isWithinTenant ? nameWithin(given.text) : frequent.nameOf(given.text);
      return name === undefined ? undefined : { ...given, name };
    }

    #noteRole(text: string): void {
      if (isBeginWithin(text)) this.#isWithinTenant = true;
      else if (/^(begin|commit|rollback)$/i.test(text)) this.#isWithinTenant = false;
    }
  };
}
