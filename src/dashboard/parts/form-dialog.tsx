/** A form over the page. It stays, and says what went wrong, until its work succeeds. */
import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { messageOf, Notice } from "./notice.tsx";
import { useWork, type Work } from "./work.ts";

interface FormDialogProps {
  title: string;
  /** What the button says that does it. */
  act: string;
  /** Fields that say themselves what is wrong with them. */
  fields: readonly string[];
  work: () => Promise<unknown>;
  onClose: () => void;
  children: (problemOf: Work["problemOf"]) => ComponentChildren;
}

export function FormDialog({ title, act, fields, work, onClose, children }: FormDialogProps) {
  const { busy, error, problemOf, submit } = useWork();
  const isAtField = fields.some((field) => problemOf(field) !== null);
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit(work)}>
        {error !== null && !isAtField && <Notice tone="bad">{messageOf(error)}</Notice>}
        {children(problemOf)}
        <div class="dialog-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            {act}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
