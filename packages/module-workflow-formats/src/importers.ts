/**
 * Every product whose workflows are imported; the first that recognises a document takes it. `import()` makes it one line for
 * each; nothing else outside an importer's folder names its files.
 */
export const IMPORTERS = (
  await Promise.all([
    import("./importers/n8n/index.ts"),
    import("./importers/dify/index.ts"),
    import("./importers/flowise/index.ts"),
    import("./importers/langgraph/index.ts"),
    import("./importers/states-language/index.ts"),
  ])
).map(({ importer }) => importer);
