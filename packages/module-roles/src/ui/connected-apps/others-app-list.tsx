import AppsOutlined from "@mui/icons-material/AppsOutlined";
import type { OthersApp } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { ListBase, useListContext } from "react-admin";
import { AppRows, EndAppDialog } from "../account/connected-app-list.tsx";

/** Programs that act in people's names, for whoever keeps the users. */
export function OthersAppList(): ReactElement {
  return (
    <ListBase resource="connected-apps" sort={{ field: "id", order: "DESC" }} perPage={25} exporter={false}>
      <PageHeader
        title={t("Connected apps")}
        line={t(
          "Programs that people let in over MCP, and that act in their names with no more than they may do themselves.",
        )}
      />
      <ListBody
        noun={t("connected apps")}
        filters={<SearchField label={t("Search program or person")} />}
        empty={
          <EmptyState
            icon={<AppsOutlined />}
            title={t("No program is connected")}
            text={t(
              "A program that connects to an MCP server with OAuth asks the person first. Whom they let in is listed here, and can be ended here.",
            )}
          />
        }
      >
        <Rows />
      </ListBody>
    </ListBase>
  );
}

function Rows(): ReactElement {
  const { data, refetch } = useListContext<OthersApp>();
  const mayEnd = useCan("users.update");
  const [ending, setEnding] = useState<OthersApp | null>(null);
  return (
    <>
      <AppRows apps={data ?? []} onEnd={mayEnd ? setEnding : null} />
      {ending === null ? null : (
        <EndAppDialog
          path="connected-apps"
          app={ending}
          onClose={() => setEnding(null)}
          onEnded={async () => refetch()}
        />
      )}
    </>
  );
}
