/** A bar on a terminal, nothing anywhere else: a log file must not fill up with it. */

export interface Progress {
  /** Begins a stretch of `steps` steps. */
  begin(what: string, steps: number): void;
  step(detail?: string): void;
  end(): void;
}

const barChars = 24;

export function openProgress(out: NodeJS.WriteStream): Progress {
  if (!out.isTTY) return { begin() {}, step() {}, end() {} };
  let what = "";
  let steps = 1;
  let done = 0;
  const draw = (detail: string) => {
    const full = Math.round((Math.min(done, steps) / steps) * barChars);
    const bar = "█".repeat(full) + "░".repeat(barChars - full);
    const percent = Math.floor((Math.min(done, steps) / steps) * 100);
    const line = `${what.padEnd(14)} ${bar} ${String(percent).padStart(3)} %  ${detail}`;
    out.write(`\r\x1b[2K${line.slice(0, Math.max(20, out.columns - 1))}`);
  };
  return {
    begin(name, count) {
      what = name;
      steps = Math.max(1, count);
      done = 0;
      draw("");
    },
    step(detail = "") {
      done++;
      draw(detail);
    },
    end() {
      out.write("\r\x1b[2K");
    },
  };
}
