/** One code: loaded, watched while its image is drawn, edited. */
import { useEffect } from "preact/hooks";
import type { Code } from "../../../schema/responses.ts";
import { readCode } from "../../api/codes.ts";
import { address } from "../../app/location.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { Page } from "../../parts/page.tsx";
import { type Load, useLoad } from "../../parts/work.ts";
import { isBeingDrawn } from "../../words/codes.ts";
import { CodeWaiting } from "./code-waiting.tsx";
import { Editor } from "./editor.tsx";

const lookMs = 700;

export default function CodeScreen({ params }: ScreenProps) {
  const id = params.id!;
  const code = useLoad((signal) => readCode(id, signal), [id]);
  useWatch(code);
  if (code.value !== null) return <Editor key={id} code={code.value} onCode={code.set} />;
  return (
    <Page title="Code" back={{ href: address("/codes"), words: "QR codes" }}>
      <CodeWaiting code={code} />
    </Page>
  );
}

/** Asks again while the image is on its way: its files, and at first its link, come with it. */
function useWatch(code: Load<Code>): void {
  const { value, set } = code;
  useEffect(() => {
    if (value === null || !isBeingDrawn(value)) return;
    const control = new AbortController();
    const timer = setTimeout(() => {
      // A look that fails is followed by the next one.
      readCode(value.qr_id, control.signal).then(set, () => set({ ...value }));
    }, lookMs);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [value]);
}
