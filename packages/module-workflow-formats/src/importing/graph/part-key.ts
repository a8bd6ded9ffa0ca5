import { z } from "zod";

/** What no key of a document's node begins with. */
const MARK = "\u0000";

/** The key of a part that a document has no node for. @param node the one it belongs to; absent: none */
export const partKey = (what: string, node = ""): string => `${MARK}${what}${MARK}${node}`;

/** The node that a part is, or belongs to; empty: none. */
export const nodeOfPart = (key: string): string => (key.startsWith(MARK) ? key.slice(key.indexOf(MARK, 1) + 1) : key);

/** A name of a node, which leaves room for the keys of other parts. */
export const NodeKeySchema = z.string().refine((name) => !name.startsWith(MARK), "A name cannot begin with U+0000");
