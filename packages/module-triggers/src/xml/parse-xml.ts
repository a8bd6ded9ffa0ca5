import { DomHandler, Parser } from "htmlparser2";

/** Elements within each other. What is read has a handful, and markup inside some more; the parser takes ever longer for each. */
const MAX_DEPTH = 256;

/**
 * XML from outside. Entities that a document declares itself are not expanded, and nothing is fetched.
 * @throws Error when it is nested too deeply
 */
export function parseXml(text: string): DomHandler["dom"] {
  const handler = new FlatHandler();
  new Parser(handler, { xmlMode: true }).end(text);
  return handler.dom;
}

class FlatHandler extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    if (this.tagStack.length > MAX_DEPTH) throw new Error("What was answered is nested too deeply");
    super.onopentag(name, attributes);
  }
}
