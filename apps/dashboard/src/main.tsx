import "@fontsource-variable/inter";
import "./boot.css";
import { placeOfApp } from "./boot.ts";
import { speakChosenLanguage } from "./i18n/chosen-language.ts";
import { uiModules } from "./ui-modules.ts";

// The files with words are loaded after the language is known.
await speakChosenLanguage(uiModules.map(({ words }) => words));
const { DashboardApp } = await import("./dashboard-app.tsx");
placeOfApp().render(<DashboardApp />);
