import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Plugin, rolldown } from "rolldown";

/*
 * The page of the views for MCP clients: the components of the dashboard as one file of HTML that loads nothing. Run by `turbo run build` as the
 * build of module-workflows.
 */
const root = join(import.meta.dirname, "../..");
const module = join(root, "packages/module-workflows");
/** Words by language: of all of them, a view carries those that it can show. */
const WORDS = /\/(?:i18n\/(?:src\/(?:german|english)|de|en))\.json$/;
/** In place of zod: files with shapes have schemas beside them, and a view checks none. One that did would fail, and not pass unchecked. */
const NO_SCHEMAS = `
const refuse = () => { throw new Error("views check no schemas"); };
const schema = new Proxy(() => undefined, {
  get: (_, name) => (name === "parse" || name === "safeParse" ? refuse : schema),
  apply: () => schema,
});
export { schema as z };
`;

/** What needs a dashboard around it. */
const NOT_IN_VIEWS = /\/node_modules\/(?:react-admin|ra-core|ra-ui-materialui|react-router-dom)\//;

type Keep = (sentence: string) => boolean;

function onlyWords(keep: Keep): Plugin {
  return {
    name: "words",
    load: {
      filter: { id: WORDS },
      handler: (id) => {
        const words = Object.entries(JSON.parse(readFileSync(id, "utf8")) as Record<string, string>); // cast: files of words
        return { code: JSON.stringify(Object.fromEntries(words.filter(([key]) => keep(key)))), moduleType: "json" };
      },
    },
  };
}

const withoutSchemas: Plugin = {
  name: "without-schemas",
  resolveId: { filter: { id: /^zod$/ }, handler: () => "\0no-schemas" },
  load: { filter: { id: /^\0no-schemas$/ }, handler: () => NO_SCHEMAS },
};

async function bundle(keep: Keep): Promise<string> {
  const build = await rolldown({
    input: join(module, "src/ui/mcp-app/main.ts"),
    platform: "browser",
    checks: { pluginTimings: false },
    plugins: [withoutSchemas, onlyWords(keep)],
    transform: {
      // As in the dashboard: what nobody sees is shown, also here.
      jsx: { runtime: "automatic", importSource: "@oven/ui/visible-text" },
      define: { "process.env.NODE_ENV": '"production"' },
      target: "es2022",
    },
    onLog: (level, log, report) => {
      if (log.code === "MODULE_LEVEL_DIRECTIVE" || log.code === "CONFIGURATION_FIELD_CONFLICT") return;
      report(level === "warn" ? "error" : level, log);
    },
  });
  const { output } = await build.generate({ format: "iife", minify: true, codeSplitting: false });
  await build.close();
  const [chunk, ...more] = output;
  if (more.length > 0)
    throw new Error(`the views are to be one file, and there is ${more.map(({ fileName }) => fileName)}`);
  const foreign = chunk.moduleIds.find((id) => NOT_IN_VIEWS.test(id));
  if (foreign !== undefined) throw new Error(`the views hold ${foreign}, whose hooks have nothing there to work on`);
  return chunk.code;
}

/** A sentence of the code, whichever quotes it has; plurals have an ending of their own. */
function saidIn(code: string): Keep {
  return (key) => {
    const sentence = key.replace(/_(one|other)$/, "");
    return [sentence, JSON.stringify(sentence).slice(1, -1), sentence.replaceAll("'", "\\'")].some((text) =>
      code.includes(text),
    );
  };
}

const code = await bundle(saidIn(await bundle(() => false)));
// The one place where text could end the script.
const script = code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const hash = createHash("sha256").update(script).digest("base64");
// What the client enforces comes on top of this: nothing is loaded, and no other script runs.
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${hash}'`,
  "style-src 'unsafe-inline'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");
mkdirSync(join(module, "dist"), { recursive: true });
// The server says which view it is.
const html = `<!doctype html>
<html lang="en" data-view="{{view}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>{{title}}</title>
</head>
<body><script>${script}</script></body>
</html>
`;
writeFileSync(join(module, "dist/view.html"), html);
process.stdout.write(`view.html: ${(html.length / 1_000).toFixed(0)} kB\n`);
