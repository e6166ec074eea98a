/** Alone in this module, so that it is loaded apart from what waits for it, under a name of ours. */
export { default } from "uplot";
