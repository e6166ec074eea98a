/** Something the operator can put right: one line, no stack. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: number = 1;
}

/** A command that cannot be understood; nothing was done. */
export class UsageError extends CommandError {
  override name = "UsageError";
  override readonly exitCode: number;

  constructor(message: string, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
