import { describe, expect, it } from "vitest";
import { type DecodeOptions, decodeText, isTextType } from "./decode-text.ts";
import { TEXT_SAMPLES } from "./testing/text-samples.ts";

const bytesOf = (text: string, encoding: BufferEncoding = "utf8") => new Uint8Array(Buffer.from(text, encoding));
const refused = (bytes: Uint8Array, options: DecodeOptions) => {
  try {
    return decodeText(bytes, options).text;
  } catch (error) {
    return error;
  }
};

describe("text from outside", () => {
  it.each(TEXT_SAMPLES)("in $charset is read by the label in its content type", ({ charset, text, bytes }) => {
    for (const contentType of [`text/plain; charset=${charset}`, `text/csv;header=present;Charset="${charset}"`])
      expect(decodeText(bytes, { contentType })).toMatchObject({ text, from: "header", malformed: 0 });
    expect(decodeText(bytes, { charset }).text).toBe(text);
    expect(decodeText(bytes, { assumed: charset }).text).toBe(text);
  });

  it.each(TEXT_SAMPLES.filter(({ charset }) => !charset.startsWith("utf-16")))(
    "in $charset is read by what it declares inside itself",
    ({ charset, text, bytes }) => {
      const around = (before: string, after: string) =>
        new Uint8Array(Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]));
      const xml = [`<?xml version="1.0" encoding="${charset}"?><a>`, "</a>"] as const;
      const html = [`<!-- ${"x".repeat(1_500)} --><meta charset="${charset}"><p>`, "</p>"] as const;
      for (const contentType of ["application/xml", "text/xml", "application/atom+xml", undefined])
        expect(decodeText(around(...xml), { contentType })).toMatchObject({ text: xml.join(text), from: "content" });
      expect(decodeText(around(...html), { contentType: "text/html" })).toMatchObject({ text: html.join(text) });
    },
  );

  it.each([
    ["utf-8", bytesOf("\uFEFFa;ü")],
    ["utf-16le", bytesOf("\uFEFFa;ü", "utf16le")],
    ["utf-16be", new Uint8Array([0xfe, 0xff, 0, 0x61, 0, 0x3b, 0, 0xfc])],
  ])("with the byte order mark of %s is read by it, whatever is declared, and without it", (charset, bytes) => {
    for (const contentType of [
      "text/csv; charset=iso-8859-1",
      "text/csv; charset=utf-16",
      "text/csv; charset=unknown",
      null,
    ])
      expect(decodeText(bytes, { contentType })).toEqual({ text: "a;ü", charset, from: "bom", malformed: 0 });
  });

  it("goes by the content type before what stands inside, and by what the reader gives before both", () => {
    const page = bytesOf('<meta charset="utf-8"><p>5 \x80', "latin1");
    expect(decodeText(page, { contentType: "text/html; charset=windows-1252" }).text).toMatch(/5 €$/);
    expect(decodeText(page, { contentType: "text/html; charset=utf-8", charset: "cp1252" }).text).toMatch(/5 €$/);
  });

  it.each([
    ["bytes that are no UTF-8", bytesOf("M\xfcller", "latin1"), {}, /utf-8, which is assumed/],
    [
      "bytes that are no text in what is declared",
      bytesOf("M\xfcller", "latin1"),
      { contentType: "text/plain; charset=euc-jp" },
      /euc-jp, which its content type declares/,
    ],
    ["half a UTF-16 character", bytesOf("a"), { contentType: "text/plain; charset=utf-16le" }, /utf-16le/],
    [
      "a charset that nobody knows",
      bytesOf("a"),
      { contentType: "text/plain; charset=klingon" },
      /"klingon", which is not known/,
    ],
    [
      "a charset that may not be decoded",
      bytesOf("a"),
      { contentType: "text/plain; charset=iso-2022-kr" },
      /not known/,
    ],
    ["UTF-32", new Uint8Array([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), {}, /UTF-32/],
  ])("is refused in words: %s", (_what, bytes, options: DecodeOptions, message) => {
    const what = { what: "The file", path: "$.file", status: 422 };
    expect(refused(bytes, { ...options, ...what })).toMatchObject({
      code: "TEXT_UNDECODABLE",
      message: expect.stringMatching(message),
      fix: expect.stringContaining("charset"),
      path: "$.file",
      status: 422,
    });
  });

  it("is marked and counted where a caller shows the count", () => {
    const page = bytesOf("<p>M\xfcller und S\xf6hne", "latin1");
    expect(decodeText(page, { contentType: "text/html", malformed: "mark" })).toEqual({
      text: "<p>M\uFFFDller und S\uFFFDhne",
      charset: "utf-8",
      from: "assumed",
      malformed: 2,
    });
    const declared = bytesOf('<meta charset="gbk">ok');
    expect(decodeText(declared, { contentType: "text/html; charset=none", malformed: "mark" })).toMatchObject({
      charset: "gbk",
      malformed: 0,
    });
  });

  it("is what its type says", () => {
    const texts = [
      "text/csv",
      "application/json; charset=x",
      "application/soap+xml",
      "application/x-www-form-urlencoded",
    ];
    expect(texts.filter(isTextType)).toEqual(texts);
    expect(["image/png", "application/pdf", "", null].filter(isTextType)).toEqual([]);
  });
});
