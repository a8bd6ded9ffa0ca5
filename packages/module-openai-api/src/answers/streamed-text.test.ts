import { describe, expect, it } from "vitest";
import { StreamedText } from "./streamed-text.ts";

function started(): { text: StreamedText; sent: string[] } {
  const sent: string[] = [];
  return { text: new StreamedText((piece) => sent.push(piece)), sent };
}

describe("text that is streamed", () => {
  it("is sent as it comes, and once", () => {
    const { text, sent } = started();
    text.begin();
    text.write("One ");
    text.write("two");
    text.end("One two");
    expect(sent).toEqual(["One ", "two"]);
  });

  it("has at the end what was not written on the way", () => {
    const { text, sent } = started();
    text.write("One ");
    text.end("One two");
    expect(sent).toEqual(["One ", "two"]);
  });

  it("stands before an answer that is another text", () => {
    const { text, sent } = started();
    text.begin();
    text.write("I look.");
    text.begin();
    text.write("There.");
    text.end("Here.");
    expect(sent.join("")).toBe("I look.\n\nThere.\n\nHere.");
  });

  it("is not sent again where an attempt is repeated", () => {
    const { text, sent } = started();
    text.write("One two");
    text.discard();
    text.write("One ");
    text.write("two three");
    text.end("One two three");
    expect(sent).toEqual(["One two", " three"]);
  });

  it("begins anew where a repeated attempt says something else", () => {
    const { text, sent } = started();
    text.write("One two");
    text.discard();
    text.write("One three");
    text.write(" four");
    text.end("One three four");
    expect(sent.join("")).toBe("One two\n\nOne three four");
  });
});
