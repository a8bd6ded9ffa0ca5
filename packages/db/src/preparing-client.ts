import type pg from "pg";
import { answerOf, DescribedQuery, type Statement } from "./described-query.ts";
import { FrequentStatements } from "./frequent-statements.ts";
import { GatheringClient } from "./gathering-client.ts";
import { RLS_STATEMENT, type RlsContext } from "./rls-query.ts";
import { isBeginWithin } from "./row-level-security.ts";

const CONTEXT = "oven_context";

/**
 * A client class that prepares what is asked again and again once per connection, whoever asks: the server then neither parses
 * nor plans it each time. For connections that stay with one session; a pooler gives each statement another one.
 */
export function preparingClient(): typeof pg.Client {
  const frequent = new FrequentStatements();
  // A plan holds for one role, so statements with and without row-level security have their own.
  const nameWithin = (text: string): string | undefined => {
    const name = frequent.nameOf(text);
    return name === undefined ? undefined : `${name}t`;
  };
  return class PreparingClient extends GatheringClient {
    #isWithinTenant = false;
    #knowsContext = false;

    // biome-ignore lint/suspicious/noExplicitAny: the overloads of node-postgres; whatever came is handed on
    override query(statement: any, ...rest: any[]): any {
      const values: unknown = rest.find((each) => Array.isArray(each));
      const callback: unknown = rest.find((each) => typeof each === "function");
      const given =
        typeof statement === "string"
          ? { text: statement, values }
          : { ...statement, values: values ?? statement.values };
      // Without values a text may be several statements, which cannot be prepared.
      const isOne = statement.submit === undefined && Array.isArray(given.values) && given.values.length > 0;
      if (!isOne) {
        if (typeof statement === "string") this.#noteRole(statement);
        return super.query(statement, ...rest);
      }
      const query = new DescribedQuery({ ...given, name: given.name ?? this.#nameOf(given.text) });
      if (typeof callback !== "function") return answerOf(query, (asked) => super.query(asked));
      query.callback = callback as DescribedQuery["callback"]; // cast: node-postgres' own way to answer
      return super.query(query);
    }

    override queryWithin(context: RlsContext, statement: Statement, values: unknown[]): Promise<pg.QueryResult> {
      if (!this.#knowsContext) this.#prepareContext();
      return this.sendWithin(context, { ...statement, values, name: nameWithin(statement.text) }, CONTEXT);
    }

    #prepareContext(): void {
      this.#knowsContext = true;
      super.query(`prepare ${CONTEXT} (text, text) as ${RLS_STATEMENT}`).catch(() => {
        this.#knowsContext = false; // whatever was sent behind it fails too, and tells
      });
    }

    #nameOf(text: string): string | undefined {
      return this.#isWithinTenant ? nameWithin(text) : frequent.nameOf(text);
    }

    #noteRole(text: string): void {
      if (isBeginWithin(text)) this.#isWithinTenant = true;
      else if (/^(begin|commit|rollback)$/i.test(text)) this.#isWithinTenant = false;
    }
  };
}
