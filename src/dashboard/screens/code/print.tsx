/** A sheet to print: the code once, or several times to cut out. */
import { useSignal } from "@preact/signals";
import { readCode } from "../../api/codes.ts";
import { address } from "../../app/location.ts";
import type { ScreenProps } from "../../app/screen.ts";
import { Button } from "../../parts/button.tsx";
import { Bones } from "../../parts/empty.tsx";
import { CheckField, Segments } from "../../parts/field.tsx";
import { Failure, Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { kept, useLoad } from "../../parts/work.ts";
import { pathOf } from "../../words/codes.ts";

export default function Print({ params }: ScreenProps) {
  const id = params.id!;
  const code = useLoad((signal) => readCode(id, signal), [id]);
  const copies = useSignal<"1" | "4" | "12">("1");
  const isNamed = useSignal(true);
  const shown = code.value;
  return (
    <Page
      title={shown === null ? "Print" : `Print ${shown.label}`}
      back={{ href: address(`/codes/${id}`), words: "Code" }}
      actions={
        shown?.file_url_svg && (
          <Button look="primary" icon="print" onClick={() => print()}>
            Print
          </Button>
        )
      }
    >
      {code.error !== null && <Failure error={code.error} retry={code.reload} />}
      {shown === null ? (
        code.error === null && <Bones />
      ) : shown.file_url_svg === null ? (
        <Notice>The picture is not drawn yet. Go back to the code and wait a moment.</Notice>
      ) : (
        <>
          <div class="row not-printed">
            <Segments
              label="Copies on a sheet"
              {...kept(copies)}
              options={[
                ["1", "One"],
                ["4", "Four"],
                ["12", "Twelve"],
              ]}
            />
            <CheckField label="With its name" {...kept(isNamed)} />
          </div>
          <div class={`sheet sheet-${copies.value}`}>
            {Array.from({ length: Number(copies.value) }, (_, copy) => (
              <figure key={copy}>
                <img src={pathOf(shown.file_url_svg!)} alt={copy === 0 ? `QR code of ${shown.label}` : ""} />
                {isNamed.value && <figcaption>{shown.label}</figcaption>}
              </figure>
            ))}
          </div>
        </>
      )}
    </Page>
  );
}
