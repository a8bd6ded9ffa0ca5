import ChecklistRounded from "@mui/icons-material/ChecklistRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { EvalCase, EvalDataset } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { DeleteButton, EditButton, useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { previewJson } from "@oven/ui/components/tool-box.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { ListContextProvider, useListController, useRefresh } from "react-admin";
import { CaseDialog } from "./case-dialog.tsx";
import { toExpectationSentence } from "./expectation-words.ts";

/** The cases of a dataset: each with what goes in, and what its run must show. */
export function CaseList({ dataset, onChange }: { dataset: EvalDataset; onChange: () => void }): ReactElement {
  const list = useListController<EvalCase>({
    resource: "eval-cases",
    filter: { datasetId: dataset.id },
    sort: { field: "position", order: "ASC" },
    perPage: 25,
    disableSyncWithLocation: true,
    storeKey: `eval-cases.${dataset.id}`,
  });
  const create = useCreateButton(t("New case"), useCan("evals.create"), (close) => (
    <CaseDialog
      dataset={dataset}
      given={null}
      onClose={(saved) => {
        close(saved);
        if (saved) onChange();
      }}
    />
  ));
  return (
    <ListContextProvider value={list}>
      <ListBody
        noun={t("cases")}
        filters={
          <>
            <SearchField label={t("Search cases")} />
            <Box sx={{ flex: 1 }} />
            {create.button}
          </>
        }
        empty={
          <EmptyState
            icon={<ChecklistRounded />}
            title={t("No cases yet")}
            text={t("Add one by hand, or open a run that went well and press “Make a case”.")}
            action={create.button}
          />
        }
      >
        <RowList label={t("Cases")}>
          {(list.data ?? []).map((one) => (
            <CaseRow key={one.id} one={one} dataset={dataset} />
          ))}
        </RowList>
      </ListBody>
      {create.dialog}
    </ListContextProvider>
  );
}

function CaseRow({ one, dataset }: { one: EvalCase; dataset: EvalDataset }): ReactElement {
  const [mayUpdate, mayDelete] = [useCan("evals.update"), useCan("evals.delete")];
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async () => {
    await api(`eval-cases/${one.id}`, { method: "PUT", body: { enabled: !one.enabled } });
    refresh();
  });
  return (
    <RowItem>
      <RowPart basis={240} grow={1}>
        <Box sx={{ fontWeight: 600 }}>{one.name}</Box>
        <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{previewJson(one.input)}</Box>
        {one.tags.length === 0 ? null : (
          <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{one.tags.map((tag) => `#${tag}`).join(" ")}</Box>
        )}
      </RowPart>
      <RowPart basis={280} grow={2}>
        {one.expectations.length === 0 ? (
          <Box sx={{ fontSize: 13, color: "text.secondary" }}>
            {t("Nothing is expected: it passes when it completes.")}
          </Box>
        ) : (
          <Box component="ul" sx={{ m: 0, pl: 2.25, fontSize: 13 }}>
            {one.expectations.map((expectation, index) => (
              <li key={index}>{toExpectationSentence(expectation)}</li>
            ))}
          </Box>
        )}
      </RowPart>
      {one.enabled ? null : <ToneChip tone="stopped" word={t("left out")} />}
      <Box sx={{ display: "flex" }}>
        {mayUpdate ? (
          <>
            <Button
              size="small"
              disabled={busy}
              aria-label={
                one.enabled ? t("Leave out {{name}}", { name: one.name }) : t("Take in {{name}}", { name: one.name })
              }
              onClick={() => void run()}
            >
              {one.enabled ? t("Leave out") : t("Take in")}
            </Button>
            <EditButton
              label={t("Edit {{name}}", { name: one.name })}
              dialog={(close) => <CaseDialog dataset={dataset} given={one} onClose={close} />}
            />
          </>
        ) : null}
        {mayDelete ? (
          <DeleteButton
            resource="eval-cases"
            record={one}
            label={t("Delete {{name}}", { name: one.name })}
            title={t("Delete “{{name}}”?", { name: one.name })}
            text={t("Results that it has stay with their evaluations.")}
          />
        ) : null}
      </Box>
      {failure === null ? null : (
        <Box sx={{ flexBasis: "100%" }}>
          <ErrorPanel error={failure} title={t("The case was not switched")} />
        </Box>
      )}
    </RowItem>
  );
}
