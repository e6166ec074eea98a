/** Screens of few lines, loaded together: apart they would be more bytes, in many more pieces. */
export { default as account } from "./account/account.tsx";
export { default as keys } from "./keys/keys.tsx";
export { default as operatedAccount } from "./operator/account.tsx";
export { default as operatedAccounts } from "./operator/accounts.tsx";
export { default as people } from "./people/people.tsx";
export { default as projects } from "./projects/projects.tsx";
