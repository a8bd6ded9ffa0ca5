import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { App } from "./app-steps.ts";
import { isExpression, js } from "./app-values.ts";
import { READ_XML } from "./xml-code.ts";

const FLAGS = ["explicitArray", "explicitRoot", "ignoreAttrs", "mergeAttrs", "normalize", "normalizeTags", "trim"];
const NAMES = ["attrkey", "charkey"];

/** XML as JSON. */
export const XML: App = {
  title: "XML",
  becomes: "The XML is read by JavaScript.",
  credential: "none",
  secret: "none",
  plan: (given) => {
    if (given.or("mode", "xmlToJson") !== "xmlToJson") throw new NoEquivalent("it makes XML");
    const from = given.or("dataPropertyName", "data");
    if (isExpression(from)) throw new NoEquivalent("which field it reads is computed");
    const group = given.group("options");
    const options = Object.fromEntries(
      [...FLAGS, ...NAMES].flatMap((name) => {
        const value = group.get(name);
        if (value !== undefined && typeof value !== (FLAGS.includes(name) ? "boolean" : "string"))
          throw new NoEquivalent(`its ${name} is computed`);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    if (Object.values(options).some(isExpression)) throw new NoEquivalent("its options are computed");
    const code = [
      READ_XML,
      `const xml = $json[${js(from)}];`,
      `if (xml === undefined) throw new Error("There is no field of the name " + ${js(from)});`,
      `return readXml(xml, ${JSON.stringify(options)});`,
    ];
    return { steps: [{ code: code.join("\n") }] };
  },
};
