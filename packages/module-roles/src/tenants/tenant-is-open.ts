/** That the tenant of user `u` may use the installation. */
export const TENANT_OF_U_IS_OPEN =
  "not exists (select from tenants t where t.id = u.tenant_id and t.disabled_at is not null)";
