import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FormatsOven, startFormats } from "./start-formats.ts";

export interface FormatCase {
  id: string;
  title: string;
  /** A small document that runs. */
  document: { name: string };
  /** A document with all that the format has, as text. */
  full: string;
  /** What its documents need to be there. */
  prepare?(oven: FormatsOven, key: string): Promise<void>;
}

/** What holds for every format whose documents come back as they were given. */
export function describeFormat({ id, title, document, full, prepare }: FormatCase): void {
  describe(`the format ${id}`, () => {
    let oven: FormatsOven;
    beforeAll(async () => {
      oven = await startFormats(() => ({ text: "{}" }));
    });
    afterAll(() => oven.stop());

    const at = `workflow-formats/${id}`;
    const adminOf = async (tenantId = 1) => {
      const key = await oven.keyFor("admin", tenantId);
      await prepare?.(oven, key);
      return (method: string, path: string, body?: unknown) => oven.call(method, path, body, { key });
    };
    const as = async (role: string) => {
      const key = await oven.keyFor(role);
      return (method: string, path: string, body?: unknown) => oven.call(method, path, body, { key });
    };

    it("is listed with its title", async () => {
      const call = await adminOf();
      expect((await call("GET", "workflow-formats")).body).toContainEqual({ format: id, title });
    });

    it("compiles, imports, lists and exports documents, one's own", async () => {
      const call = await adminOf();
      const source = JSON.stringify(document);
      const compiled = await call("POST", `${at}/compile`, { source });
      expect(compiled.body.definition.meta.source.format).toBe(id);
      expect((await call("GET", at)).body).toEqual([]);
      const made = await call("POST", `${at}/import`, { source });
      expect([made.status, made.body.format, made.body.name]).toEqual([201, id, document.name]);
      expect((await call("GET", at)).body).toEqual([made.body]);
      expect((await call("GET", `${at}/${made.body.id}/export`)).body).toMatchObject(JSON.parse(source));
      const wrong = await call("POST", `${at}/import`, { source: "{" });
      expect(wrong.body.error).toMatchObject({ code: "SOURCE_UNREADABLE", details: { line: 1, column: 1 } });
      expect((await call("POST", `${at}/compile`, { source: "{}" })).body.error.code).toBe("SOURCE_INVALID");
      // Nobody else's.
      const other = await as("admin");
      expect((await other("GET", at)).body).toEqual([]);
      expect((await other("GET", `${at}/${made.body.id}/export`)).status).toBe(404);
      expect((await other("POST", `${at}/${made.body.id}/convert`, {})).status).toBe(404);
      expect((await (await as("viewer"))("POST", `${at}/import`, { source })).status).toBe(403);
    });

    it("has documents that are equal when they are exported and imported again, also elsewhere, and compile to the same", async () => {
      const here = await adminOf();
      const there = await adminOf(7);
      const passOn = async (call: typeof here, source: string) => {
        const { status, body } = await call("POST", `${at}/import`, { source });
        expect([status, body.error]).toEqual([201, undefined]);
        const exported = await call("GET", `${at}/${body.id}/export`);
        expect(exported.status).toBe(200);
        return exported.body;
      };
      const first = await passOn(here, full);
      const second = await passOn(there, JSON.stringify(first));
      expect(second).toEqual(first);
      const definitionOf = async (call: typeof here, source: string) =>
        (await call("POST", `${at}/compile`, { source })).body.definition;
      const now = await definitionOf(there, JSON.stringify(second));
      expect(withNumberedIds(now)).toEqual(withNumberedIds(await definitionOf(here, full)));
    });
  });
}

/** Ids and instants become numbers, in the order in which they stand there. */
export function withNumberedIds(document: unknown): unknown {
  const seen = new Map<string, string>();
  const text = JSON.stringify(document).replaceAll(
    /[0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g,
    (id) => {
      if (id.includes("T")) return "at";
      const known = id.replaceAll("_", "-");
      if (!seen.has(known)) seen.set(known, `id ${seen.size}`);
      return seen.get(known) ?? "";
    },
  );
  return JSON.parse(text);
}
