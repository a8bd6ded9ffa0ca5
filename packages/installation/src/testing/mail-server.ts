// For tests of all modules together: the mail server that the tests of one of them use.
export { PASSWORD, startImapServer, USER } from "@oven/module-triggers/testing";
