/** A new code: what it does, what it says, how it looks. Rules and limits can be set when it is there. */
import { useSignal } from "@preact/signals";
import { type ContentType, contentTypes } from "../../../domain/content/content-types.ts";
import { defaultMetadata } from "../../../domain/looks/render-metadata.ts";
import { createCode, createContentCode } from "../../api/codes.ts";
import { allProjects } from "../../api/projects.ts";
import { address, go, place } from "../../app/location.ts";
import { refreshSession, user } from "../../app/session.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { NameField, SelectField, TextArea, TextField } from "../../parts/field.tsx";
import { messageOf, Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Card } from "../../parts/small.tsx";
import { tell } from "../../parts/toast.tsx";
import { kept, useLoad, useWork } from "../../parts/work.ts";
import { isLink } from "../../words/codes.ts";
import { type Looks, newLooks, readLooks } from "../code/looks/looks.ts";
import { LooksForm } from "../code/looks/looks-form.tsx";
import { Preview, sampleSlug } from "../code/looks/preview.tsx";
import { useContentDraft } from "./content/content-draft.ts";
import { contentForms } from "./content/forms.tsx";
import { OnAPhone } from "./content/on-a-phone.tsx";
import { TypePicker } from "./type-picker.tsx";

const types = ["url", "text", ...contentTypes];

function contentTypeOf(type: string): ContentType | null {
  return contentTypes.find((each) => each === type) ?? null;
}

export default function NewCode() {
  const type = useSignal("url");
  const name = useSignal("");
  const url = useSignal("");
  const text = useSignal("");
  const project = useSignal(place.peek().query.get("project") ?? "");
  const looks = useSignal<Looks>(newLooks);
  const projects = useLoad(allProjects, []);
  const making = useWork();
  const read = readLooks(looks.value, defaultMetadata);
  const isALink = isLink(type.value);
  const contentType = contentTypeOf(type.value);
  const draft = useContentDraft(contentType ?? contentTypes[0]);
  const ContentForm = contentType && contentForms[contentType];
  const carried = isALink
    ? `${user().public_url}/${sampleSlug}`
    : contentType === null
      ? text.value
      : (draft.text ?? "");
  const submit = (event: Event) => {
    event.preventDefault();
    if (read.problem !== null) return;
    if (contentType !== null && draft.text === null) {
      draft.insist();
      showProblem(event.currentTarget as HTMLFormElement);
      return;
    }
    void making.run(async () => {
      const common = {
        ...(name.value.trim() !== "" && { name: name.value.trim() }),
        ...(project.value !== "" && { project_id: project.value }),
        ...(read.changes !== null && { qr_render_metadata: read.changes }),
      };
      const made =
        contentType !== null
          ? await createContentCode({ type: contentType, content: draft.content, ...common })
          : await createCode({
              type: type.value as "url" | "text",
              ...(isALink ? { redirect_url: url.value.trim() } : { text: text.value }),
              ...common,
            });
      refreshSession();
      tell("The code is made");
      go(`/codes/${made.qr_id}`);
    });
  };
  const isAtField = fields.some((field) => making.problemOf(field) !== null);
  return (
    <Page title="New code" back={{ href: address("/codes"), words: "QR codes" }}>
      {!user().features.creates && (
        <Notice tone="warn">
          The plan “{user().account.plan}” does not let codes be made. Ask the operator of the service for
          another one.
        </Notice>
      )}
      <div class="editor editor-new">
        <form class="stack stack-wide" onSubmit={submit}>
          <TypePicker
            types={types}
            type={type.value}
            onType={(chosen) => {
              type.value = chosen;
              making.clear();
            }}
          />
          <Card title="Content">
            <div class="stack">
              {ContentForm !== null ? (
                <ContentForm
                  key={contentType}
                  content={draft.content}
                  onContent={draft.onContent}
                  problemOf={(field) => draft.problemOf(field) ?? making.problemOf(field)}
                />
              ) : isALink ? (
                <TextField
                  label="Destination"
                  type="url"
                  inputMode="url"
                  placeholder="https://"
                  required
                  {...kept(url)}
                  problem={making.problemOf("redirect_url")}
                  hint="Where a scan leads. You can change it later, without printing the code again."
                />
              ) : (
                <TextArea
                  label="Text"
                  required
                  maxLength={1000}
                  {...kept(text)}
                  problem={making.problemOf("text")}
                  hint="It is in the picture itself and cannot be changed later."
                />
              )}
              <div class="field-row">
                <NameField
                  optional
                  {...kept(name)}
                  problem={making.problemOf("name")}
                  hint="For you alone, to find it again."
                />
                <SelectField
                  label="Project"
                  {...kept(project)}
                  problem={making.problemOf("project_id")}
                  options={[
                    ["", "The default project"],
                    ...(projects.value ?? [])
                      .filter(({ is_archived }) => !is_archived)
                      .map(({ project_id, name: words }) => [project_id, words] as const),
                  ]}
                />
              </div>
            </div>
          </Card>
          <Card title="Looks">
            <LooksForm
              looks={looks.value}
              metadata={read.metadata}
              problem={read.problem}
              onLooks={(value) => {
                looks.value = value;
              }}
            />
          </Card>
          {making.error !== null && !isAtField && <Notice tone="bad">{messageOf(making.error)}</Notice>}
          <div class="row row-end">
            <ButtonLink href={address("/codes")}>Cancel</ButtonLink>
            <Button
              type="submit"
              look="primary"
              busy={making.busy}
              disabled={read.problem !== null || !user().features.creates}
            >
              Make the code
            </Button>
          </div>
        </form>
        <aside class="editor-side" aria-label="Preview">
          <div class="card stack">
            {carried === "" ? (
              <p class="soft">
                {contentType === null
                  ? "Write the text, and the code appears here."
                  : "Fill in the form, and the code appears here."}
              </p>
            ) : (
              <Preview content={carried} metadata={read.metadata} alt="Preview of the new code" />
            )}
            {contentType !== null && draft.text !== null && (
              <OnAPhone type={contentType} content={draft.content} />
            )}
            {contentType !== null && (
              <p class="small soft">
                All of this is in the picture itself: it works without a connection, cannot be changed later,
                and its scans are not counted.
              </p>
            )}
            {isALink && (
              <p class="small soft">
                A sample: the pattern is going to be another one when the code has its link, the looks are
                these.
              </p>
            )}
          </div>
        </aside>
      </div>
    </Page>
  );
}

const fields = ["redirect_url", "text", "content", "name", "project_id"];

/** Brings the writer to the first field that something is wrong with, when it is marked. */
function showProblem(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid]")?.focus());
}
