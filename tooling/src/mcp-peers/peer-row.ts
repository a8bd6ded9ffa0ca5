/** What became of one step; clients write it in `mcp-peers/src/client-steps.ts`. */
export interface StepReport {
  step: string;
  /** Undefined: there is nothing to try. */
  held?: boolean | undefined;
  /** What was seen instead, where it did not. */
  seen: string;
}

/** One client or server, as it was tried. */
export interface PeerRow {
  title: string;
  /** The package. */
  name: string;
  version: string;
  /** Of the protocol. */
  revision: string;
  /** Of a server: what it was spoken to over. */
  transport?: "http" | "stdio";
  steps: StepReport[];
  /** Why there are no more steps. */
  error?: string;
}

export function hasPassed({ steps, error }: PeerRow): boolean {
  return error === undefined && steps.length > 0 && steps.every(({ held }) => held !== false);
}

/** As a table of Markdown, with what failed beneath. */
export function toTable(kind: "client" | "server", rows: readonly PeerRow[]): string {
  const steps = [...new Set(rows.flatMap((row) => row.steps.map(({ step }) => step)))];
  const head = [kind, "package", ...(kind === "server" ? ["over"] : []), "revision", ...steps];
  const lines = rows.map((row) => {
    const cells = steps.map((step) => toMark(row.steps.find((one) => one.step === step)));
    const over = { http: "HTTP", stdio: "stdio", none: "–" }[row.transport ?? "none"];
    return [row.title, `\`${row.name}\` ${row.version}`, ...(kind === "server" ? [over] : []), row.revision, ...cells];
  });
  const toLine = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const failures = rows.flatMap(({ title, steps: tried, error }) => [
    ...(error === undefined ? [] : [`${title}: ${error}`]),
    ...tried.filter(({ held }) => held === false).map(({ step, seen }) => `${title}, ${step}: ${seen}`),
  ]);
  return [toLine(head), toLine(head.map(() => "---")), ...lines.map(toLine), ...failures].join("\n");
}

function toMark(report: StepReport | undefined): string {
  if (report?.held === undefined) return "–";
  return report.held ? "yes" : "FAILED";
}
