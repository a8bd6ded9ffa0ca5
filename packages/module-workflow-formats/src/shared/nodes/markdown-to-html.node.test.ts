import { describe, expect, it } from "vitest";
import { markdownToHtmlNode } from "./markdown-to-html.node.ts";

const run = async (markdown: string) => {
  const input = markdownToHtmlNode.input.parse({ markdown });
  const result = await markdownToHtmlNode.run({ input } as never); // cast: it looks at its input alone
  return result.type === "done" ? result.output : result;
};

describe("data.markdownToHtml", () => {
  it("writes what CommonMark says", async () => {
    const html =
      '<h1>A</h1>\n<p>One <strong>two</strong> <a href="https://x.test">l</a></p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>';
    expect(await run("# A\n\nOne **two** [l](https://x.test)\n\n- a\n- b")).toEqual({ html });
  });

  it("writes nothing that runs", async () => {
    const { html } = (await run("<script>a()</script>\n\n[x](javascript:a) <b onclick=a>")) as { html: string };
    expect(html).not.toMatch(/<script|<b |javascript:/);
    expect(html).toContain("&lt;script&gt;");
  });

  it("refuses Markdown with more levels than texts have, at once", async () => {
    for (const deep of ["- ".repeat(2_000), ">".repeat(2_000), `a\n${" ".repeat(90)}- b`])
      await expect(run(deep)).rejects.toMatchObject({ code: "MARKDOWN_TOO_DEEP" });
    expect(() => markdownToHtmlNode.input.parse({ markdown: "a".repeat(100_001) })).toThrow();
  });
});
