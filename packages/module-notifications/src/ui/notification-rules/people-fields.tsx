import type { Role, User } from "@oven/contract/access";
import { t } from "@oven/i18n";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";
import { CheckList } from "./check-list.tsx";
import type { RuleDraft } from "./rule-draft.ts";

const ALL = { pagination: { page: 1, perPage: 200 }, sort: { field: "id", order: "ASC" as const } };

/** Who is told. */
export function PeopleFields({
  draft,
  onChange,
}: {
  draft: RuleDraft;
  onChange: (more: Partial<RuleDraft>) => void;
}): ReactElement {
  const roles = useGetList<Role>("roles", ALL, { enabled: useCan("roles.read") }).data ?? [];
  const users = useGetList<User>("users", ALL, { enabled: useCan("users.read") }).data ?? [];
  return (
    <>
      <CheckList
        label={t("Who")}
        choices={[
          { value: "starter", label: t("Whoever started the run, or whose trigger it is") },
          { value: "assignees", label: t("Whoever the review asks") },
        ]}
        chosen={[...(draft.starter ? ["starter"] : []), ...(draft.assignees ? ["assignees"] : [])]}
        onChange={(chosen) =>
          onChange({ starter: chosen.includes("starter"), assignees: chosen.includes("assignees") })
        }
      />
      {roles.length === 0 ? null : (
        <CheckList
          label={t("Everybody with the role")}
          choices={roles.map(({ name, title }) => ({ value: name, label: title }))}
          chosen={draft.roles}
          onChange={(chosen) => onChange({ roles: chosen })}
        />
      )}
      {users.length === 0 ? null : (
        <CheckList
          label={t("These people")}
          choices={users.map(({ id, name }) => ({ value: id, label: name }))}
          chosen={draft.users}
          onChange={(chosen) => onChange({ users: chosen })}
        />
      )}
    </>
  );
}
