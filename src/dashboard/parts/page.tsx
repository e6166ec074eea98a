/** The head of a screen, which is also the title of the browser's tab. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "./icon.tsx";

export function Page(props: {
  title: string;
  words?: ComponentChildren;
  actions?: ComponentChildren;
  back?: { href: string; words: string };
  narrow?: boolean;
  children: ComponentChildren;
}) {
  const { title, words, actions, back } = props;
  useEffect(() => {
    document.title = `${title} – qrelay`;
  }, [title]);
  return (
    <div class={props.narrow ? "page page-narrow" : "page"}>
      <div class="page-head">
        <div class="page-head-words">
          {back && (
            <a class="back" href={back.href}>
              <Icon name="left" />
              {back.words}
            </a>
          )}
          <h1>{title}</h1>
          {words && <div class="soft">{words}</div>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </div>
      {props.children}
    </div>
  );
}
