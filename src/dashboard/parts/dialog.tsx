/** A question over the page: the browser's own dialog, which keeps the focus and closes with Escape. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button, type ButtonProps } from "./button.tsx";
import { messageOf, Notice } from "./notice.tsx";
import { useWork } from "./work.ts";

export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren }) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
    >
      <div class="dialog-inside">
        <h2 id={id}>{props.title}</h2>
        {props.children}
      </div>
    </dialog>
  );
}

interface Question {
  title: string;
  words: ComponentChildren;
  /** What the button says that does it. */
  act: string;
  danger?: boolean;
  work: () => Promise<unknown>;
}

const question = signal<Question | null>(null);

/** Asks before something is done; the dialog stays while it is done, and says when it fails. */
export function ask(asked: Question): void {
  question.value = asked;
}

/** A small button whose work is asked about first. */
export function AskButton(props: Question & Pick<ButtonProps, "look" | "icon" | "label" | "children">) {
  const { look = "plain", children, icon, label, ...asked } = props;
  return (
    <Button small look={look} {...(icon && { icon })} {...(label && { label })} onClick={() => ask(asked)}>
      {children}
    </Button>
  );
}

export function Questions() {
  return question.value && <Asking question={question.value} />;
}

function Asking({ question: { title, words, act, danger, work } }: { question: Question }) {
  const { busy, error, run } = useWork();
  const close = () => {
    question.value = null;
  };
  return (
    <Dialog title={title} onClose={close}>
      <div class="soft">{words}</div>
      {error !== null && <Notice tone="bad">{messageOf(error)}</Notice>}
      <div class="dialog-end">
        <Button onClick={close}>Cancel</Button>
        <Button
          look={danger ? "danger-solid" : "primary"}
          busy={busy}
          onClick={() =>
            run(async () => {
              await work();
              close();
            })
          }
        >
          {act}
        </Button>
      </div>
    </Dialog>
  );
}
