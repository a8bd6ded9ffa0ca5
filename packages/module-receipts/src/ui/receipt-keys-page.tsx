import KeyOutlined from "@mui/icons-material/KeyOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import { DEFAULT_TENANT } from "@oven/contract";
import { t, tx } from "@oven/i18n";

import { api } from "@oven/ui/api/api-client.ts";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ShortId } from "@oven/ui/components/short-id.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useCallback, useEffect, useState } from "react";
import { useGetIdentity } from "react-admin";
import type { KeySet, PublicKey } from "../shapes.ts";

const DOCUMENT = ".well-known/oven-receipts.json";

/** The public keys of the installation, and a way to let a new one sign. */
export function ReceiptKeysPage(): ReactElement {
  const { identity } = useGetIdentity();
  const mayRotate = useCan("receipt-keys.rotate");
  const [keys, setKeys] = useState<readonly PublicKey[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [asking, setAsking] = useState(false);
  const load = useCallback(async (): Promise<void> => {
    setFailure(null);
    try {
      // Verifiers may use an answer for a minute; here a new key is seen at once.
      const { json } = await api(DOCUMENT, { cache: "no-cache" });
      // cast: the shape of the document
      setKeys((json as KeySet).keys);
    } catch (error) {
      setFailure(error);
    }
  }, []);
  useEffect(() => void load(), [load]);
  // One key signs for all tenants; users of the first one change it.
  const showsButton = mayRotate && identity?.tenantId === DEFAULT_TENANT && keys !== null && keys.length > 0;
  return (
    <>
      <PageHeader
        title={t("Receipt keys")}
        line={t("One key signs the receipts of runs. Earlier keys still verify what they have signed.")}
        actions={
          showsButton ? (
            <Button variant="outlined" onClick={() => setAsking(true)}>
              {t("Rotate key")}
            </Button>
          ) : null
        }
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        <Panel title={t("Public keys")} flush>
          {failure === null ? null : (
            <Box sx={{ p: 2 }}>
              <ErrorPanel error={failure} title={t("The keys could not be loaded")} onRetry={() => void load()} />
            </Box>
          )}
          {keys !== null ? <Keys keys={keys} /> : failure === null ? <Skeleton height={80} sx={{ mx: 2 }} /> : null}
        </Panel>
        <Panel title={t("Address of the keys")}>
          <Box sx={{ display: "grid", gap: 1 }}>
            <Box sx={{ color: "text.secondary" }}>{t("Everyone who verifies receipts reads the keys here.")}</Box>
            <CodeBlock text={`${window.location.origin}/${DOCUMENT}`} what={t("Address of the keys")} />
          </Box>
        </Panel>
      </Box>
      <ConfirmDialog
        open={asking}
        title={t("Let a new key sign?")}
        text={t(
          "Receipts are signed with a new key from now on. What was signed before stays valid; verifiers with a saved set of keys need the new one.",
        )}
        confirmLabel={t("Rotate key")}
        onConfirm={async () => {
          await api("receipt-keys/rotate", { method: "POST" });
          await load();
        }}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

function Keys({ keys }: { keys: readonly PublicKey[] }): ReactElement {
  if (keys.length === 0)
    return (
      <EmptyState
        icon={<KeyOutlined />}
        title={t("No key yet")}
        text={t("The first receipt makes the first key: download one on the page of a run that has ended.")}
      />
    );
  return (
    <RowList label={t("Public keys")}>
      {keys.map(({ kid, from, until }) => (
        <RowItem key={kid}>
          <RowPart basis={220} grow={1}>
            <ShortId id={kid} what={t("the key's id")} />
          </RowPart>
          <RowPart basis={160} quiet>
            {tx("since {{time}}", { time: <RelativeTime at={from} /> })}
          </RowPart>
          <RowPart basis={160} quiet>
            {until === null ? null : tx("until {{time}}", { time: <RelativeTime at={until} /> })}
          </RowPart>
          {until === null ? (
            <ToneChip tone="completed" word={t("Signs now")} />
          ) : (
            <ToneChip tone="stopped" word={t("Verifies only")} />
          )}
        </RowItem>
      ))}
    </RowList>
  );
}
