/** Which of everything is shown: the gate for strangers, or a screen in its frame. */
import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { Me } from "../api/session.ts";
import { ButtonLink } from "../parts/button.tsx";
import { Questions } from "../parts/dialog.tsx";
import { Bones } from "../parts/empty.tsx";
import { Failure, Notice } from "../parts/notice.tsx";
import { Page } from "../parts/page.tsx";
import { Toasts } from "../parts/toast.tsx";
import { SetPassword } from "../screens/gate/set-password.tsx";
import { SignIn } from "../screens/gate/sign-in.tsx";
import { address, place } from "./location.ts";
import type { ScreenProps } from "./screen.ts";
import { findScreen, maySee, type Screen } from "./screens.ts";
import { askSession, session } from "./session.ts";
import { Shell } from "./shell.tsx";

export function App() {
  return (
    <>
      <Inside />
      <Questions />
      <Toasts />
    </>
  );
}

function Inside() {
  const now = session.value;
  const { path, fragment } = place.value;
  if (path === "/set-password") return <SetPassword key={fragment} token={fragment} />;
  switch (now.state) {
    case "asking":
      return <div class="loading-bar" role="status" aria-label="Loading" />;
    case "failed":
      return (
        <main class="gate">
          <Failure error={now.error} retry={() => void askSession()} />
        </main>
      );
    case "nobody":
      return <SignIn ended={now.ended} />;
    case "known":
      return (
        <Shell me={now.me}>
          <Here me={now.me} />
        </Shell>
      );
  }
}

function Here({ me }: { me: Me }) {
  const { path } = place.value;
  // The operator has no account, so no overview of one.
  const found = findScreen(path === "" && me.kind === "operator" ? "/operator" : path);
  if (found === null) return <Nothing title="There is nothing here" words="The address may be mistyped." />;
  if (!maySee(me, found.screen.audience)) {
    return <Nothing title="This is not for you to see" words={reasonFor(me)} />;
  }
  return <Loaded key={found.screen.path} screen={found.screen} params={found.params} />;
}

function reasonFor(me: Me): string {
  return me.kind === "operator"
    ? "You are signed in as the operator of the service. Sign in as a user of an account to see this."
    : "Keys, people and the plan belong to the owners of the account. Ask one of them.";
}

function Nothing({ title, words }: { title: string; words: string }) {
  return (
    <Page title={title} narrow>
      <Notice>{words}</Notice>
      <div>
        <ButtonLink href={address("")}>To the start</ButtonLink>
      </div>
    </Page>
  );
}

/** A screen, once its code is there. */
function Loaded({ screen, params }: { screen: Screen } & ScreenProps) {
  const loaded = useSignal<ComponentType<ScreenProps> | null>(null);
  const error = useSignal<Error | null>(null);
  const round = useSignal(0);
  useEffect(() => {
    screen.load().then(
      (module) => {
        loaded.value = module.default;
      },
      () => {
        error.value = new Error(
          "This part of the page could not be loaded. Check your connection, then try again.",
        );
      },
    );
  }, [screen, round.value]);
  if (error.value !== null) {
    // After an update of the service the old names are gone; a fresh page knows the new ones.
    return (
      <div class="page">
        <Failure error={error.value} retry={() => window.location.reload()} />
      </div>
    );
  }
  const Content = loaded.value;
  return Content === null ? (
    <div class="page">
      <Bones lines={9} />
    </div>
  ) : (
    <Content params={params} />
  );
}
