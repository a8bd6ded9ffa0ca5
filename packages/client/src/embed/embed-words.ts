const ENGLISH = {
  open: "Open the chat",
  close: "Close the chat",
  message: "Message",
  send: "Send",
  again: "New conversation",
  log: "Conversation",
  you: "You",
  working: "Writing an answer …",
  waiting: "A person is looking at this. The answer appears here.",
  asked: "Your answer is needed.",
  approve: "Yes",
  reject: "No",
  failed: "That did not work. Please try it again.",
  closed: "This is closed at the moment.",
  limit: "These are all the messages for now. Please come back later.",
  busy: "Please wait for the answer.",
  unreachable: "There is no connection at the moment.",
  tooLong: "The message is too long.",
  thanks: "Thank you. This was received.",
  required: "Please fill this in.",
  invalid: "This cannot be used yet.",
  notJson: "This must be JSON.",
  another: "Fill in another one",
  choose: "Please choose",
  onePerLine: "One per line",
};
export type EmbedWords = typeof ENGLISH;

const GERMAN: EmbedWords = {
  open: "Chat öffnen",
  close: "Chat schließen",
  message: "Nachricht",
  send: "Senden",
  again: "Neue Unterhaltung",
  log: "Unterhaltung",
  you: "Sie",
  working: "Eine Antwort wird geschrieben …",
  waiting: "Ein Mensch sieht sich das an. Die Antwort erscheint hier.",
  asked: "Ihre Antwort wird gebraucht.",
  approve: "Ja",
  reject: "Nein",
  failed: "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.",
  closed: "Das ist im Moment geschlossen.",
  limit: "Mehr Nachrichten gehen gerade nicht. Bitte kommen Sie später wieder.",
  busy: "Bitte warten Sie auf die Antwort.",
  unreachable: "Im Moment gibt es keine Verbindung.",
  tooLong: "Die Nachricht ist zu lang.",
  thanks: "Danke. Das ist angekommen.",
  required: "Bitte füllen Sie das aus.",
  invalid: "Das lässt sich noch nicht verwenden.",
  notJson: "Das muss JSON sein.",
  another: "Noch einmal ausfüllen",
  choose: "Bitte wählen",
  onePerLine: "Eine Angabe je Zeile",
};

/** In the language of the page. @param language such as `de-AT` */
export function embedWords(language: string): EmbedWords {
  return /^de\b/i.test(language) ? GERMAN : ENGLISH;
}

/** What the visitor reads of an error; what went wrong in detail is for the people who set the embed up. */
export function wordsOfError(words: EmbedWords, code: string): string {
  if (code === "EMBED_LIMIT" || code === "TOO_MANY_REQUESTS") return words.limit;
  if (code === "EMBED_CLOSED" || code === "NOT_FOUND") return words.closed;
  if (code === "CONVERSATION_BUSY") return words.busy;
  if (code === "UNREACHABLE") return words.unreachable;
  return code === "INVALID_INPUT" ? words.invalid : words.failed;
}
