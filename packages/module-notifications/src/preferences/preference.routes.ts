import { NotificationPreferencesSchema } from "@oven/contract/system";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import type { PreferenceService } from "./preference-service.ts";

const OWN = { permission: "notifications.read" };

export function preferenceRoutes(deps: () => { preferences: PreferenceService }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "notification-preferences",
      operation: "notificationPreferences.get",
      summary: "What you want to be notified of, which way, and when",
      access: OWN,
      effect: "pure",
      response: NotificationPreferencesSchema,
      handler: async ({ principal }) => ok(await deps().preferences.get(principal)),
    }),
    defineRoute({
      method: "PUT",
      path: "notification-preferences",
      operation: "notificationPreferences.update",
      summary: "Say what you want to be notified of, which way, and when",
      access: OWN,
      effect: "idempotent",
      body: NotificationPreferencesSchema,
      response: NotificationPreferencesSchema,
      handler: async ({ principal, body }) => ok(await deps().preferences.update(principal, body)),
    }),
  ];
}
