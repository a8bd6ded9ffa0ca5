import "@fontsource-variable/inter";
import "./boot.css";
import { triggersUi } from "@oven/module-triggers/ui";
import { placeOfApp } from "./boot.ts";
import { speakChosenLanguage } from "./i18n/chosen-language.ts";

/** The last part of the page's address. */
const [token = ""] = location.pathname.split("/").slice(2);

await speakChosenLanguage([triggersUi.words]);
const { FormApp } = await import("@oven/module-triggers/ui/forms/form-app.tsx");
placeOfApp().render(<FormApp token={decodeURIComponent(token)} />);
