import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

type Look = "primary" | "plain" | "quiet" | "danger" | "danger-solid";

interface Common {
  look?: Look;
  small?: boolean;
  wide?: boolean;
  icon?: IconName;
  /** Without words beside the icon: what a screen reader says and a pointer shows. */
  label?: string;
  children?: ComponentChildren;
}

export interface ButtonProps extends Common {
  type?: "button" | "submit";
  /** Something is under way: the button waits, shows it, and takes no further press. */
  busy?: boolean;
  disabled?: boolean;
  autofocus?: boolean;
  pressed?: boolean;
  onClick?: (event: MouseEvent) => void;
}

export function Button(props: ButtonProps) {
  const { type = "button", busy = false, disabled = false, onClick, label, children } = props;
  return (
    <button
      type={type}
      class={classOf(props)}
      aria-busy={busy || undefined}
      aria-disabled={disabled || busy || undefined}
      aria-label={label}
      aria-pressed={props.pressed}
      title={label}
      autofocus={props.autofocus}
      onClick={(event) => {
        if (disabled || busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <span class="spinner" /> : props.icon && <Icon name={props.icon} />}
      {children}
    </button>
  );
}

/** Looks like a button and is a link: it leads to another screen, or to a file. */
export function ButtonLink(props: Common & { href: string; download?: string | boolean; target?: string }) {
  const { href, download, target, icon, label, children } = props;
  return (
    <a
      class={classOf(props)}
      href={href}
      download={download}
      target={target}
      rel={target && "noopener noreferrer"}
      aria-label={label}
      title={label}
    >
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

function classOf({ look = "plain", small, wide, label, children }: Common): string {
  const names = ["button"];
  if (look !== "plain") names.push(`button-${look}`);
  if (small) names.push("button-small");
  if (wide) names.push("button-wide");
  if (label !== undefined && children === undefined) names.push("button-square");
  return names.join(" ");
}
