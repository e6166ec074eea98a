/** The frame: navigation, who is signed in, light or dark, and the way out. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Me } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { Segments } from "../parts/field.tsx";
import { Icon, Mark } from "../parts/icon.tsx";
import { messageOf } from "../parts/notice.tsx";
import { tell } from "../parts/toast.tsx";
import { address, place } from "./location.ts";
import { isWithin, maySee, screens } from "./screens.ts";
import { leave } from "./session.ts";
import { chooseTheme, theme } from "./theme.ts";

export function Shell({ me, children }: { me: Me; children: ComponentChildren }) {
  const isOpen = useSignal(false);
  const main = useRef<HTMLElement>(null);
  const { path } = place.value;
  const isFirst = useRef(true);
  useEffect(() => {
    isOpen.value = false;
    // Somebody who cannot see the screen change is brought to its beginning; on the first view the browser does.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <Brand />
        <Button
          look="quiet"
          icon={isOpen.value ? "cross" : "menu"}
          label={isOpen.value ? "Close navigation" : "Open navigation"}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        />
      </header>
      <aside class={isOpen.value ? "side is-open" : "side"} aria-label="Where to go">
        <Brand />
        <nav class="nav" aria-label="Main">
          {screens
            .filter(({ nav, audience }) => nav !== undefined && maySee(me, audience))
            .map((screen) => (
              <a
                key={screen.path}
                href={address(screen.path)}
                aria-current={isWithin(screen.path, path) ? "page" : undefined}
              >
                <Icon name={screen.nav!.icon} />
                {screen.nav!.words}
              </a>
            ))}
        </nav>
        <div class="side-end">
          <div>
            <Segments
              label="Theme"
              value={theme.value}
              onValue={chooseTheme}
              options={[
                ["light", <Themed key="light" icon="sun" words="Light" />],
                ["system", <Themed key="system" icon="screen" words="As the system" />],
                ["dark", <Themed key="dark" icon="moon" words="Dark" />],
              ]}
            />
          </div>
          <div class="whoami">
            <strong class="cut">{me.kind === "user" ? me.account.name : "Operator"}</strong>
            <span class="cut soft">{me.kind === "user" ? me.user.email : "of this service"}</span>
          </div>
          <Button
            look="quiet"
            icon="leave"
            small
            onClick={() => void leave().catch((error) => tell(messageOf(error), "bad"))}
          >
            Sign out
          </Button>
        </div>
      </aside>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Themed({ icon, words }: { icon: "sun" | "screen" | "moon"; words: string }) {
  return (
    <span title={words}>
      <Icon name={icon} />
      <span class="spoken">{words}</span>
    </span>
  );
}

export function Brand() {
  return (
    <a class="brand" href={address("")}>
      <Mark />
      qrelay
    </a>
  );
}
