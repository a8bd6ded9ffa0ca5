import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const DASHBOARD = join(ROOT, "apps/dashboard");
const NEXT = join(DASHBOARD, "node_modules/next/dist/bin/next");
const ENVIRONMENT = { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;

/** A Next.js app of some files, built, in a directory of its own. */
export class NextApp {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Builds it.
   * @param files texts by path in the app
   * @param libraries directories by the package's name, which the server loads at run time
   * @throws Error when the build fails
   */
  static async build(files: Record<string, string>, libraries: Record<string, string> = {}): Promise<NextApp> {
    const app = new NextApp(mkdtempSync(join(DASHBOARD, ".next-app-")));
    try {
      const external = JSON.stringify(Object.keys(libraries));
      app.#write({
        ...files,
        "package.json": '{ "private": true, "type": "module" }\n',
        "next.config.mjs": `export default { serverExternalPackages: ${external}, turbopack: { root: ${JSON.stringify(ROOT)} } };\n`,
      });
      mkdirSync(join(app.#directory, "node_modules"));
      for (const [name, from] of Object.entries(libraries)) {
        symlinkSync(join(ROOT, from), join(app.#directory, "node_modules", name));
      }
      const environment = { ...process.env, ...ENVIRONMENT };
      const build = spawn(process.execPath, [NEXT, "build", app.#directory], {
        env: environment,
        stdio: ["ignore", "ignore", "inherit"],
      });
      const [code] = await once(build, "exit");
      if (code !== 0) throw new Error(`next build ended with ${code}`);
      return app;
    } catch (error) {
      app.remove();
      throw error;
    }
  }

  /** What Node is called with to serve it. */
  startCommand(port: number): { args: string[]; env: Record<string, string> } {
    const address = ["--port", String(port), "--hostname", "127.0.0.1"];
    return { args: [NEXT, "start", this.#directory, ...address], env: ENVIRONMENT };
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #write(files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.#directory, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}
