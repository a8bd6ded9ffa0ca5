import type { Permission } from "@oven/module-registry";

export const permissions: Permission[] = [
  { id: "users.read", title: "See users and invitations", roles: ["auditor"] },
  { id: "users.create", title: "Invite users" },
  { id: "users.update", title: "Change roles, disable users, end their sessions" },
  { id: "users.delete", title: "Remove users" },
  { id: "roles.read", title: "See roles and permissions", roles: ["auditor"] },
  { id: "roles.create", title: "Make roles" },
  { id: "roles.update", title: "Change roles" },
  { id: "roles.delete", title: "Remove roles" },
  { id: "api-keys.read", title: "See API keys", roles: ["auditor"] },
  { id: "api-keys.create", title: "Make API keys" },
  { id: "api-keys.delete", title: "Revoke API keys" },
  { id: "tenants.read", title: "See the installation's tenants", roles: ["auditor"] },
  { id: "tenants.create", title: "Make tenants" },
  { id: "tenants.update", title: "Rename and disable tenants" },
  { id: "tenant-data.export", title: "Export all data of a tenant", ownersOnly: true },
  { id: "tenant-data.erase", title: "Erase a tenant", ownersOnly: true },
  { id: "persons.export", title: "Find and export one person's data", ownersOnly: true },
  { id: "persons.erase", title: "Erase one person", ownersOnly: true },
  { id: "audit.read", title: "See and export the audit log", roles: ["auditor"] },
];
