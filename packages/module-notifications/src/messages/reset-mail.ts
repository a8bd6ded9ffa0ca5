import type { MailPart } from "./html-mail.ts";

/** What a person is sent when an administrator has taken their second factor away. */
export function toResetMail(publicUrl: string): MailPart {
  return {
    subject: "Your second factor was reset",
    text: "An administrator has taken your authenticator app, recovery codes and passkeys away and ended your sessions. Your password alone signs you in until you set a new one up. If you did not ask for it, change your password and talk to your administrator.",
    link: new URL("/account", publicUrl).href,
  };
}
