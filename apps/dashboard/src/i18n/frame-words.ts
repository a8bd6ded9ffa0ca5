import { currentLanguage } from "@oven/i18n";
import polyglotI18nProvider from "ra-i18n-polyglot";
import englishMessages from "ra-language-english";
import { type I18nProvider, mergeTranslations } from "react-admin";

/** What React Admin says by itself on our screens; the rest of it is never shown. */
const GERMAN = {
  ra: {
    action: {
      close: "Schließen",
      cancel: "Abbrechen",
      confirm: "Bestätigen",
      save: "Speichern",
      undo: "Rückgängig",
      delete: "Löschen",
      refresh: "Neu laden",
      search: "Suchen",
      sort: "Sortieren",
      select_all: "Alle wählen",
      unselect: "Nicht mehr wählen",
      back: "Zurück",
      edit: "Bearbeiten",
      show: "Ansehen",
      create: "Anlegen",
    },
    boolean: { true: "Ja", false: "Nein", null: " " },
    page: {
      loading: "Wird geladen",
      error: "Etwas ist schiefgegangen",
      not_found: "Nicht gefunden",
      access_denied: "Kein Zutritt",
      authentication_error: "Die Anmeldung hat nicht geklappt",
      empty: "Noch nichts",
      list: "%{name}",
    },
    message: {
      loading: "Einen Moment, bitte",
      error: "Ein Fehler ist aufgetreten, und Ihre Anfrage konnte nicht ausgeführt werden.",
      not_found: "Diese Adresse ist falsch, oder der Link ist veraltet.",
      yes: "Ja",
      no: "Nein",
      unsaved_changes: "Einige Ihrer Änderungen sind nicht gespeichert. Wollen Sie sie verwerfen?",
      access_denied: "Ihnen fehlt das Recht für diese Seite",
      authentication_error: "Ihre Anmeldung konnte nicht geprüft werden.",
    },
    navigation: {
      page_rows_per_page: "Zeilen je Seite:",
      page_range_info: "%{offsetBegin}–%{offsetEnd} von %{total}",
      partial_page_range_info: "%{offsetBegin}–%{offsetEnd} von mehr als %{offsetEnd}",
      current_page: "Seite %{page}",
      page: "Zur Seite %{page}",
      first: "Zur ersten Seite",
      last: "Zur letzten Seite",
      next: "Zur nächsten Seite",
      previous: "Zur vorigen Seite",
      no_results: "Nichts gefunden",
      no_more_results: "Seite %{page} gibt es nicht.",
      skip_nav: "Zum Inhalt springen",
    },
    sort: { sort_by: "Nach %{field_lower_first} %{order}", ASC: "aufsteigend", DESC: "absteigend" },
    auth: {
      auth_check_error: "Bitte melden Sie sich an",
      user_menu: "Konto",
      username: "Name",
      password: "Passwort",
      sign_in: "Anmelden",
      sign_in_error: "Die Anmeldung hat nicht geklappt",
      logout: "Abmelden",
    },
    notification: {
      updated: "Geändert",
      created: "Angelegt",
      deleted: "Gelöscht",
      canceled: "Abgebrochen",
      item_doesnt_exist: "Das gibt es nicht",
      http_error: "Der Server war nicht zu erreichen",
      data_provider_error: "Die Daten konnten nicht geholt werden",
      not_authorized: "Dazu haben Sie kein Recht.",
      logged_out: "Ihre Sitzung ist zu Ende. Bitte melden Sie sich wieder an.",
    },
    validation: {
      required: "Nötig",
      minLength: "Mindestens %{min} Zeichen",
      maxLength: "Höchstens %{max} Zeichen",
      minValue: "Mindestens %{min}",
      maxValue: "Höchstens %{max}",
      number: "Eine Zahl",
      email: "Eine E-Mail-Adresse",
    },
  },
};

/** React Admin's own words in the reader's language. */
export function createFrameWords(): I18nProvider {
  const language = currentLanguage();
  const messages = language === "de" ? mergeTranslations(englishMessages, GERMAN) : englishMessages;
  return polyglotI18nProvider(() => messages, language, undefined, { allowMissing: true });
}
