/** The value of `version` in every answer. */
export const apiVersion = "2025-11-14-v1";
