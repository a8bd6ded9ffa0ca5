import { describe, expect, it } from "vitest";
import { extractHtmlNode } from "../nodes/extract-html.node.ts";
import { whyNoSelector } from "./select-html.ts";
import { type HtmlValue, takeValues } from "./take-values.ts";

const PAGE = `<title>News</title><div id=list class="box">
  <h2 class="t">First <b>one</b></h2><a href="/1" data-N="x">Read</a>
  <h2 class="t">Second</h2><a href="/2">Read on</a><p></p>
  <table><tr><td>a<td>b</table>
  <form><input name=q value="cats"><textarea>two
lines</textarea><select><option value=1>One<option value=2 selected>Two</select></form>
</div>`;

const taken = (value: Partial<HtmlValue>, html = PAGE, maxChars = 100_000) =>
  takeValues(html, [{ name: "v", selector: "h2", take: "text", ...value }], { maxChars, tidy: (text) => text }).v;

describe("takeValues", () => {
  it("takes the text of all elements together, or of each", () => {
    expect(taken({})).toBe("First oneSecond");
    expect(taken({ all: true })).toEqual(["First one", "Second"]);
  });

  it("takes the HTML within the first element, or within each", () => {
    expect(taken({ take: "html" })).toBe("First <b>one</b>");
    expect(taken({ take: "html", all: true })).toEqual(["First <b>one</b>", "Second"]);
  });

  it("takes attributes, whatever the case of their names", () => {
    expect(taken({ selector: "a", take: "attribute", attribute: "href" })).toBe("/1");
    expect(taken({ selector: "a", take: "attribute", attribute: "data-n", all: true })).toEqual(["x", null]);
    expect(taken({ selector: "a", take: "attribute", attribute: "DATA-N" })).toBe("x");
  });

  it("takes what fields of a form hold", () => {
    const values = ["input", "textarea", "select"].map((selector) => taken({ selector, take: "value" }));
    expect(values).toEqual(["cats", "two\nlines", "2"]);
    expect(taken({ selector: "select", take: "value" }, "<select><option>A<option value=b>B</select>")).toBe("A");
  });

  it("reads HTML as a browser does: what is missing around it is there", () => {
    expect(taken({ selector: "html > body > div#list.box > table > tbody > tr > td:nth-child(2)" })).toBe("b");
  });

  it("lays out a readable text, without what it leaves out", () => {
    const html = "<main><h1>Big news</h1><nav>Menu</nav><p>One <a href='/x'>link</a></p><ul><li>a<li>b</ul></main>";
    const value = { selector: "main", take: "readable", leaveOut: ["nav"] } as const;
    expect(taken(value, html)).toBe("BIG NEWS\n\nOne link [/x]\n\n * a\n * b");
    expect(taken({ ...value, leaveOut: [] }, html)).toContain("Menu");
  });

  it("has null for what is not found or empty, and an empty readable text", () => {
    expect([
      taken({ selector: ".gone" }),
      taken({ selector: "p" }),
      taken({ selector: "p", take: "html" }),
      taken({ selector: ".gone", take: "attribute", attribute: "href" }),
      taken({ selector: ".gone", take: "readable" }),
      taken({ selector: ".gone", all: true }),
    ]).toEqual([null, null, null, null, "", []]);
  });

  it("refuses what is no selector, and says which", () => {
    expect(() => taken({ selector: "h2:first" })).toThrow(expect.objectContaining({ code: "SELECTOR_INVALID" }));
    expect(() => taken({ selector: "h2[" })).toThrow(/"h2\["/);
    const bad = { selector: "div", take: "readable", leaveOut: ["a["] } as const;
    expect(() => taken(bad)).toThrow(expect.objectContaining({ code: "SELECTOR_INVALID" }));
    expect([whyNoSelector("h2:eq(1)"), whyNoSelector("h2:has(> b):not(.x), a[href^='/']")]).toEqual([
      expect.stringContaining("eq"),
      undefined,
    ]);
  });
});

describe("the bounds of takeValues", () => {
  const tooLarge = expect.objectContaining({ code: "HTML_TOO_LARGE" });

  it("stop selectors that look at the elements over and over", () => {
    const list = "<i></i>".repeat(3_000);
    expect(() => taken({ selector: "i ~ i ~ i ~ i ~ b, b ~ i ~ i ~ i ~ i ~ i" }, list)).toThrow(tooLarge);
    expect(() => taken({ selector: "i:nth-last-child(3)" }, "<i></i>".repeat(20_000))).toThrow(tooLarge);
  });

  it("leave plain selectors alone on a page of usual size", () => {
    const rows = "<tr><td class='a b'>1<td><a href='/x'>2</a>".repeat(5_000);
    const links = taken({ selector: "body table tr > td:nth-child(2) a[href^='/']", all: true }, `<table>${rows}`);
    expect(links).toHaveLength(5_000);
  });

  it("stop pages with more levels, elements or attributes than pages have", () => {
    expect(() => taken({}, "<div>".repeat(600))).toThrow(/levels/);
    const attributes = Array.from({ length: 300_000 }, (_, index) => `a${index}`).join(" ");
    expect(() => taken({}, `<div ${attributes}>`)).toThrow(/attributes/);
    const formats = Array.from({ length: 400 }, (_, index) => `<b id=${index}>`).join("");
    expect(() => taken({}, `<p>${formats}</p>${"<p>x</p>".repeat(5_000)}`)).toThrow(/elements/);
  });

  it("stop values that are larger together than their bound", () => {
    expect(() => taken({ selector: "div", take: "html" }, `<div>${"x".repeat(60)}</div>`, 50)).toThrow(tooLarge);
    const nested = `${"<div>".repeat(50)}${"x".repeat(100)}`;
    expect(() => taken({ selector: "div", take: "html", all: true }, nested, 5_000)).toThrow(tooLarge);
    expect(() => taken({ selector: "div" }, nested, 1_000)).toThrow(tooLarge);
  });
});

describe("data.extractHtml", () => {
  const run = async (given: object) => {
    const input = extractHtmlNode.input.parse({ values: [{ name: "t", selector: "p" }], ...given });
    const result = await extractHtmlNode.run({ input } as never); // cast: it looks at its input alone
    return result.type === "done" ? result.output : result;
  };

  it("trims texts, and puts them on one line", async () => {
    const html = "<p>\n  One\ntwo   three\t</p>";
    expect(await run({ html })).toEqual({ values: { t: "\n  One\ntwo   three\t" } });
    expect(await run({ html, trim: true })).toEqual({ values: { t: "One\ntwo   three" } });
    expect(await run({ html, oneLine: true })).toEqual({ values: { t: "Onetwo three" } });
  });
});
