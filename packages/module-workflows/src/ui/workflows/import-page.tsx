import UploadFileRounded from "@mui/icons-material/UploadFileRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import Link from "@mui/material/Link";
import type { PromotionFile, PromotionMapping, PromotionPlan, PromotionReport } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { readTextFile } from "@oven/ui/api/read-text-file.ts";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { readTypedJson } from "@oven/ui/components/typed-value.ts";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type WorkflowKind, workflowPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { PlanItems } from "./plan-items.tsx";
import { PlanReferences } from "./plan-references.tsx";

interface Given {
  file: PromotionFile;
  mapping: PromotionMapping;
  publish: boolean;
}

/** While somebody types a name, the plan waits. */
const TYPING_MS = 300;

/** A file of another installation: what it would change here, what is called otherwise here, and then the import. */
export function ImportPage({ kind }: { kind: WorkflowKind }): ReactElement {
  const [given, setGiven] = useState<Given | null>(null);
  const [report, setReport] = useState<PromotionReport | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const choosing = useAction(async (chosen: File) => {
    setReport(null);
    setGiven(null);
    const typed = readTypedJson(await readTextFile(chosen));
    if (!typed.ok) throw new Error(typed.message);
    const file = typed.value as unknown as PromotionFile; // cast: the server checks it with the plan
    setGiven({ file, mapping: {}, publish: true });
  });
  const choose = (
    <Button variant="outlined" startIcon={<UploadFileRounded />} onClick={() => input.current?.click()}>
      {t("Choose a file")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("Import from another installation")}
        parent={{ to: `/${kind.resource}`, label: kind.title }}
        line={t("A workflow with what it calls. Nothing is written before you have seen what would change.")}
        actions={given === null ? undefined : choose}
      />
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t("File of another installation")}
        accept=".json,application/json"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // The same file can be chosen again once it was corrected.
          event.target.value = "";
          if (file !== undefined) void choosing.run(file);
        }}
      />
      {choosing.failure === null ? null : (
        <ErrorPanel error={choosing.failure} title={t("The file could not be read")} />
      )}
      {given === null && choosing.failure === null ? (
        <Panel>
          <EmptyState
            icon={<UploadFileRounded />}
            title={t("Choose a file")}
            text={t("Download it there on the page of a workflow: Export for another installation.")}
            action={choose}
          />
        </Panel>
      ) : null}
      {report === null ? null : <Report report={report} />}
      {given === null || report !== null ? null : <Plan given={given} onChange={setGiven} onDone={setReport} />}
    </>
  );
}

function Plan({
  given,
  onChange,
  onDone,
}: {
  given: Given;
  onChange: (given: Given) => void;
  onDone: (report: PromotionReport) => void;
}): ReactElement {
  const [found, setFound] = useState<{ given: Given; plan: PromotionPlan } | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [times, setTimes] = useState(0);
  const [allowMissing, setAllowMissing] = useState(false);
  useEffect(() => {
    void times;
    const gone = new AbortController();
    const timer = setTimeout(() => {
      api("promotions/plan", { method: "POST", body: given, signal: gone.signal }).then(
        ({ json }) => {
          setFound({ given, plan: json as PromotionPlan }); // cast: the shape of the route
          setFailure(null);
        },
        (error: unknown) => {
          if (!gone.signal.aborted) setFailure(error);
        },
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [given, times]);
  const applying = useAction(async (digest: string) => {
    const { json } = await api("promotions/apply", { method: "POST", body: { ...given, digest, allowMissing } });
    onDone(json as PromotionReport); // cast: the shape of the route
  });
  const plan = found?.plan;
  const isShown = found?.given === given && failure === null;
  const missing = plan?.missing ?? 0;
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      {failure === null ? null : (
        <ErrorPanel
          error={failure}
          title={t("There is no plan for this file")}
          onRetry={() => setTimes((before) => before + 1)}
        />
      )}
      {plan === undefined ? null : (
        <>
          <PlanReferences plan={plan} mapping={given.mapping} onChange={(mapping) => onChange({ ...given, mapping })} />
          <PlanItems title={t("What changes here")} items={plan.items} />
          {applying.failure === null ? null : (
            <ErrorPanel
              error={applying.failure}
              title={t("Nothing was imported")}
              onRetry={() => {
                applying.reset();
                setTimes((before) => before + 1);
              }}
            />
          )}
          <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 2 }}>
            <FormControlLabel
              control={
                <Checkbox
                  checked={!given.publish}
                  onChange={(_, isDraft) => onChange({ ...given, publish: !isDraft })}
                />
              }
              label={t("Leave what is live alone: workflows that are here get a draft")}
            />
            {missing === 0 ? null : (
              <FormControlLabel
                control={<Checkbox checked={allowMissing} onChange={(_, checked) => setAllowMissing(checked)} />}
                label={t("Import although names are missing ({{missing}})", { missing })}
              />
            )}
            <Button
              variant="contained"
              disabled={!isShown || applying.busy || (missing > 0 && !allowMissing)}
              onClick={() => void applying.run(plan.digest)}
            >
              {t("Import")}
            </Button>
          </Box>
        </>
      )}
    </Box>
  );
}

function Report({ report }: { report: PromotionReport }): ReactElement {
  const { root, items, references } = report;
  const missing = references.filter(({ state }) => state === "missing");
  return (
    <Box role="status" sx={{ display: "grid", gap: 2 }}>
      <Panel title={t("Imported")}>
        <Link component={RouterLink} to={workflowPath(root.kind, root.id)}>
          {t("Open {{name}}", { name: root.slug })}
        </Link>
        {missing.length === 0 ? null : (
          <Box sx={{ mt: 1 }}>
            {t("Still missing here")}: {missing.map(({ kind, to }) => `${kind} ${to}`).join(", ")}
          </Box>
        )}
      </Panel>
      <PlanItems title={t("What was done")} items={items} />
    </Box>
  );
}
