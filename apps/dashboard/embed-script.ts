import { join } from "node:path";
import { build } from "vite";

const ENTRY = join(import.meta.dirname, "../../packages/client/src/embed/v1.ts");

/** What pages of other sites load: one script without a framework, which loads nothing more. */
export async function buildEmbedScript(): Promise<string> {
  const [built] = [
    await build({
      configFile: false,
      logLevel: "warn",
      build: { write: false, target: "es2022", lib: { entry: ENTRY, formats: ["iife"], name: "ovenEmbed" } },
    }),
  ].flat();
  if (built === undefined || !("output" in built)) throw new Error("the bundler answered no output");
  return built.output[0].code;
}
