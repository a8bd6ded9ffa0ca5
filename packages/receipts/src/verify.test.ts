import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical, type Json } from "./canonical.ts";
import { signReceipt } from "./keys.ts";
import { MAX_RECEIPT_BYTES } from "./receipt.ts";
import { keySet, makeKey, makeReceipt } from "./testing/make-receipt.ts";
import { type Verification, verifyReceipt } from "./verify.ts";

function failed({ ok, checks }: Verification): string[] {
  expect(ok).toBe(checks.every((check) => check.ok));
  return checks.filter((check) => !check.ok).map(({ says }) => says);
}

const given = makeReceipt();

/** The same bytes with one of them changed. */
function withFlip(bytes: Uint8Array, at: number, mask: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ mask;
  return changed;
}

const toLog = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(""));

describe("a receipt as it was issued", () => {
  it("is valid, and is small", () => {
    const result = verifyReceipt(given);
    expect(failed(result)).toEqual([]);
    expect(result.notes).toEqual([]);
    expect(given.file.byteLength).toBeLessThanOrEqual(MAX_RECEIPT_BYTES);
  });

  it("says what was not checked", () => {
    const { ok, notes } = verifyReceipt({ file: given.file });
    expect(ok).toBe(true);
    expect(notes).toEqual([
      expect.stringContaining(`compare its fingerprint ${given.body.kid}`),
      expect.stringContaining("The log was not given"),
    ]);
  });

  it("is proved by digests where data was taken out of the log", () => {
    const lines = given.lines.map((line) => {
      const { data: _data, salt: _salt, ...bare } = JSON.parse(line);
      return canonical(bare);
    });
    const { ok, notes } = verifyReceipt({ ...given, log: toLog(lines) });
    expect(ok).toBe(true);
    expect(notes).toContain("5 of 5 entries have no data: only their digests are proved.");
  });
});

describe("changed bytes", () => {
  it("are found in the receipt, whichever it is", () => {
    for (let at = 0; at < given.file.byteLength; at++)
      for (const mask of [0x01, 0x20, 0x80])
        expect(verifyReceipt({ ...given, file: withFlip(given.file, at, mask) }).ok, `${at}/${mask}`).toBe(false);
  });

  it("are found in the receipt without the issuer's keys", () => {
    for (let at = 0; at < given.file.byteLength; at++)
      expect(verifyReceipt({ file: withFlip(given.file, at, 0x01), log: given.log }).ok, `${at}`).toBe(false);
  });

  it("are found in the log, whichever it is", () => {
    for (let at = 0; at < given.log.byteLength; at++)
      for (const mask of [0x01, 0x20, 0x80])
        expect(verifyReceipt({ ...given, log: withFlip(given.log, at, mask) }).ok, `${at}/${mask}`).toBe(false);
  });

  it("are found where a line is missing, twice, or in another place", () => {
    const { lines } = given;
    for (const index of lines.keys()) {
      const line = lines[index] ?? "";
      expect(verifyReceipt({ ...given, log: toLog(lines.toSpliced(index, 1)) }).ok).toBe(false);
      expect(verifyReceipt({ ...given, log: toLog(lines.toSpliced(index, 0, line)) }).ok).toBe(false);
      if (index > 0)
        expect(
          verifyReceipt({ ...given, log: toLog(lines.toSpliced(index, 1).toSpliced(index - 1, 0, line)) }).ok,
        ).toBe(false);
    }
  });

  it("are found where text is put in or cut off", () => {
    fc.assert(
      fc.property(fc.nat(given.log.byteLength), fc.uint8Array({ minLength: 1, maxLength: 4 }), (at, bytes) => {
        const log = Buffer.concat([given.log.subarray(0, at), bytes, given.log.subarray(at)]);
        expect(verifyReceipt({ ...given, log }).ok).toBe(false);
        expect(verifyReceipt({ ...given, log: given.log.subarray(0, at) }).ok).toBe(at === given.log.byteLength);
      }),
    );
  });

  it.each<[string, (text: string) => string]>([
    ["a space", (text) => text.replace("{", "{ ")],
    ["a letter as its escape", (text) => text.replace('"run"', '"r\\u0075n"')],
    ["a number in another form", (text) => text.replace('"run":7', '"run":7.0').replace('"id":7', '"id":7e0')],
    [
      "a member twice",
      (text) => text.replace('"version":1', '"version":1,"version":1').replace('"run":7', '"run":7,"run":7'),
    ],
    ["its members in another order", (text) => text.replace(/^\{("[^"]+":(?:"[^"]*"|null)),(.*)\}$/m, "{$2,$1}")],
    ["a line of two bytes at its end", (text) => text.replace(/\n$/, "\r\n")],
  ])("are found where the same is written in another way: %s", (_, write) => {
    for (const what of ["file", "log"] as const) {
      const text = write(given[what].toString());
      expect(text).not.toBe(given[what].toString());
      expect(verifyReceipt({ ...given, [what]: Buffer.from(text) }).ok).toBe(false);
    }
  });

  it("are found in the bits that the text of a signature has left over", () => {
    const [before = "", signature = "", after = ""] = given.file.toString().split(/(?<="signature":")|(?="\}\n$)/);
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const valid = [...alphabet].filter((last) => {
      const file = Buffer.from(`${before}${signature.slice(0, -1)}${last}${after}`);
      return verifyReceipt({ ...given, file }).ok;
    });
    expect(valid).toEqual([signature.at(-1)]);
  });

  it("are found in JSON that is nested deeper than a program can follow", () => {
    const deep = Buffer.from(`${"[".repeat(200_000)}${"]".repeat(200_000)}\n`);
    expect(failed(verifyReceipt({ file: deep }))).toEqual([expect.stringContaining("call stack")]);
  });
});

describe("keys", () => {
  it("must be among those that the issuer has published", () => {
    const [keys, forged] = [given.keys, makeReceipt({ key: makeKey() })];
    expect(failed(verifyReceipt({ ...forged, keys }))).toEqual([expect.stringContaining("has published")]);
  });

  it("verify after they have retired, and only what they signed until then", () => {
    const [old, now] = [makeKey(), makeKey()];
    const receipt = makeReceipt({ key: old });
    const retired = (until: string) => keySet({ key: now, from: until }, { key: old, until });
    expect(verifyReceipt({ ...receipt, keys: retired("2026-11-30T00:00:00.000Z") }).ok).toBe(true);
    expect(failed(verifyReceipt({ ...receipt, keys: retired("2026-11-29T00:00:00.000Z") }))).toEqual([
      expect.stringContaining("was in use"),
    ]);
  });

  it("of another issuer do not count", () => {
    const keys = { ...given.keys, issuer: "https://elsewhere.example" };
    expect(failed(verifyReceipt({ ...given, keys }))).toEqual([expect.stringContaining("of the issuer")]);
  });

  it("cannot sign a receipt that names another key", () => {
    const [one, other] = [makeKey(), makeKey()];
    const { body } = makeReceipt({ key: one });
    const signature = signReceipt(body as Json, other.privateKey);
    const file = Buffer.from(`${canonical({ receipt: body as Json, key: other.x, signature })}\n`);
    expect(failed(verifyReceipt({ file }))).toEqual([expect.stringContaining("the one that the receipt names")]);
  });
});
