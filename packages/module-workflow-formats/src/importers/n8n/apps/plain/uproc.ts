import { NoEquivalent } from "../../../../importing/no-equivalent.ts";
import type { App } from "../app-steps.ts";
import { computed, js } from "../app-values.ts";
import { plainApp } from "../plain-app.ts";

/** What tools of uProc take, each as a text. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  checkEmailExists: ["email"],
  getLocationByIp: ["ip"],
  getDomainCertificate: ["domain"],
  getDomainRecords: ["domain"],
  getCompanyByName: ["name", "country"],
  getPhoneParsed: ["phone"],
};

export const UPROC: App = plainApp({
  ...{ title: "uProc", credential: "uprocApi", secret: "uproc", base: "https://api.uproc.io/api/v2" },
  operation: "",
  operations: {
    ":": (given) => {
      const tool = String(given.or("tool", ""));
      const names = Object.hasOwn(TOOLS, tool) ? TOOLS[tool] : undefined;
      if (names === undefined) throw new NoEquivalent(`what the tool ${tool} takes is not known here`);
      given.skip("group");
      const webhook = given.group("additionalOptions").get("dataWebhook");
      return {
        ...{ method: "POST", path: "/process" },
        fixed: {
          processor: tool.replace(/([A-Z]+)/g, "-$1").toLowerCase(),
          params: Object.fromEntries(names.map((name) => [name, computed(`String(${js(given.or(name, ""))})`)])),
          ...(webhook === undefined ? {} : { callback: { data: webhook } }),
        },
      };
    },
  },
});
