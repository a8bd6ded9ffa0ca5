import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Redactor, redactionOf } from "./redactor.ts";

const VALUE = "sk/live&\"0123'<é>";
const redactor = new Redactor();
redactor.learn(1, "shop", VALUE);
const shown = (text: string) => redactor.json(1, text);

const inHtml = VALUE.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const inJson = JSON.stringify(VALUE).slice(1, -1);
const units = (write: (unit: number) => string) =>
  [...VALUE].map((character) => (/\w/.test(character) ? character : write(character.charCodeAt(0)))).join("");
const hex = (unit: number, digits: number) => unit.toString(16).padStart(digits, "0");

describe("a secret that a service echoes", () => {
  it.each([
    ["as it is", VALUE],
    ["as JSON", inJson],
    ["as JSON of PHP", inJson.replaceAll("/", "\\/")],
    ["as JSON in JSON", JSON.stringify(inJson).slice(1, -1)],
    ["as ASCII JSON", units((unit) => `\\u${hex(unit, 4)}`)],
    ["as ASCII JSON in capitals", units((unit) => `\\u${hex(unit, 4).toUpperCase()}`)],
    ["as JavaScript", units((unit) => `\\x${hex(unit, 2)}`)],
    ["in a URL", encodeURIComponent(VALUE)],
    ["in a URL in a URL", encodeURIComponent(encodeURIComponent(VALUE))],
    ["in a URL with small letters", encodeURIComponent(VALUE).toLowerCase()],
    ["in HTML", inHtml],
    ["in HTML in HTML", inHtml.replaceAll("&", "&amp;")],
    ["in HTML by numbers", units((unit) => `&#${unit};`)],
    ["in HTML by hexadecimal numbers", units((unit) => `&#x${hex(unit, 2)};`)],
    ["as UTF-8 that was read as Latin-1", Buffer.from(VALUE).toString("latin1")],
  ])("is replaced %s, and what stands around it stays", (_where, echoed) => {
    for (const around of ["", "a \\ %zz &nbsp; b%41"])
      expect(shown(`${around}${echoed}${around}`)).toBe(`${around}[secret:shop]${around}`);
  });

  it("leaves other text as it is, escapes included", () => {
    const parts = ["\\", "\\u00e9", "%41", "%C3", "%25", "&amp;", "&#47;", "&", "a", "é", "😀", "%F0%9F%98%80"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts)), (text) => {
        expect(shown(text.join(""))).toBe(text.join(""));
      }),
    );
  });

  it("is found among escapes of any kind", () => {
    const part = fc.constantFrom("\\\\", "\\u00e9", "%41", "%C3", "&amp;", "x", "😀", "%F0%9F%98%80");
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (before, after) => {
        const [head, tail] = [`${before.join("")} `, ` ${after.join("")}`];
        expect(shown(`${head}${inHtml}${tail}`)).toBe(`${head}[secret:shop]${tail}`);
      }),
    );
  });

  it("of the environment is named without a prefix", () => {
    expect(redactionOf({ KEY: VALUE, EMPTY: "" })(`a ${inHtml} b`)).toBe("a [KEY] b");
    expect(redactionOf({})("a &amp; b")).toBe("a &amp; b");
  });
});
