/**
 * Loaded before a server whose memory is measured, with `--expose-gc`: SIGUSR2 collects all garbage, so that
 * what is left is what the server keeps and not when its collector last ran.
 */
process.on("SIGUSR2", () => {
  globalThis.gc?.();
  globalThis.gc?.();
});
