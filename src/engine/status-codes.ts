/** The names of statuses: a table, wherever it comes from. */
export { STATUS_CODES } from "node:http";
