import CloudOutlined from "@mui/icons-material/CloudOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ModelProvider, ProviderModels, ProviderTest } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RowPart } from "@oven/ui/components/row-item.tsx";
import { SimulatedChip } from "@oven/ui/components/simulated-chip.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { ModelNotice } from "./model-notice.tsx";
import { ProviderDialog } from "./provider-dialog.tsx";
import { toProviderLook, toSourceWords } from "./provider-words.ts";
import { RowsPanel } from "./rows-panel.tsx";

/** Where models come from. */
export function ProviderTab(): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <RowsPanel<ModelProvider>
        resource="ai-providers"
        noun={t("model providers")}
        addLabel={t("Add a provider")}
        empty={{ icon: <CloudOutlined />, title: t("No provider"), text: t("Add one to ask real models.") }}
        nameOf={({ title }) => `the provider “${title}”`}
        deleteText={t("Aliases and steps that name its models fail from then on. Its key stays among the secrets.")}
        isOwn={({ source }) => source === "tenant"}
        show={(provider) => <ProviderParts provider={provider} />}
        dialog={(provider, onClose) => <ProviderDialog provider={provider} onClose={onClose} />}
        above={<ModelNotice />}
      />
      <Models />
    </Box>
  );
}

function ProviderParts({ provider }: { provider: ModelProvider }): ReactElement {
  const { id, title, simulated, baseUrl, secret, configured } = provider;
  const mayTest = useCan("ai-providers.update");
  const [tested, setTested] = useState<ProviderTest | null>(null);
  const { busy, failure, run } = useAction(async () => {
    setTested(null);
    const { json } = await api(`ai-providers/${encodeURIComponent(id)}/test`, { method: "POST", body: {} });
    setTested(json as ProviderTest); // cast: the shape of the route
  });
  return (
    <>
      <RowPart basis={200} grow={2}>
        <Box sx={{ fontWeight: 600 }}>{title}</Box>
        <Box sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary" }}>{id}</Box>
      </RowPart>
      <RowPart basis={200} grow={1} quiet>
        {toSourceWords(provider)}
        {baseUrl === null ? null : <Box>{baseUrl}</Box>}
        {secret === null ? null : <Box>key: secret {secret}</Box>}
      </RowPart>
      {simulated ? <SimulatedChip /> : null}
      <ToneChip {...toProviderLook(provider)} />
      {mayTest && configured && !simulated ? (
        <Button
          size="small"
          variant="outlined"
          loading={busy}
          onClick={() => void run()}
          aria-label={t("Test {{title}}", { title })}
        >
          {t("Test")}
        </Button>
      ) : null}
      {failure === null && tested === null ? null : (
        // After the row's parts, over its whole width.
        <Box role="status" sx={{ order: 1, flex: "1 1 100%", minWidth: 0 }}>
          {failure === null ? null : (
            <ErrorPanel error={failure} title={t("{{title}} could not be tested", { title })} />
          )}
          {tested === null ? null : <TestResult title={title} tested={tested} />}
        </Box>
      )}
    </>
  );
}

function TestResult({
  title,
  tested: { ok, latencyMs, models, problem, fix },
}: {
  title: string;
  tested: ProviderTest;
}): ReactElement {
  if (!ok)
    return (
      <Alert severity="error" sx={{ overflowWrap: "anywhere" }}>
        {problem}
        {fix === null ? null : <Box sx={{ fontWeight: 550 }}>{fix}</Box>}
      </Alert>
    );
  return (
    <Alert severity="success">
      {models.length === 0
        ? t("{{title}} answered in {{latencyMs}} ms.", { title, latencyMs })
        : t("{{title}} answered in {{latencyMs}} ms and has {{count}} models.", {
            title,
            latencyMs,
            count: models.length,
          })}
    </Alert>
  );
}

/** What each provider that is set up says it has. */
function Models(): ReactElement | null {
  const { data, error } = useAnswer<ProviderModels[]>("ai-models");
  if (error) return <ErrorPanel error={error} title={t("The models could not be listed")} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <Panel title={t("Models")}>
      <Box sx={{ display: "grid", gap: 1 }}>
        {data.map(({ id, title, models, truncated, problem }) => (
          <Box component="details" key={id} sx={{ "& > summary": { cursor: "pointer", py: 0.5 } }}>
            <summary>
              {title}:{" "}
              {problem === null
                ? truncated
                  ? t("{{shown}} and more", { shown: models.length })
                  : String(models.length)
                : t("not listed, {{message}}", { message: problem.message })}
            </summary>
            <Box
              component="ul"
              aria-label={t("Models of {{title}}", { title })}
              sx={{
                m: 0,
                pl: 2.5,
                fontFamily: MONOSPACE,
                fontSize: 12.5,
                overflowWrap: "anywhere",
                maxHeight: 320,
                overflowY: "auto",
              }}
            >
              {models.map((model) => (
                <li key={model}>
                  {id}:{model}
                </li>
              ))}
            </Box>
          </Box>
        ))}
      </Box>
    </Panel>
  );
}
