/** A new code: what it does, what it says, how it looks. Rules and limits can be set when it is there. */
import { useSignal } from "@preact/signals";
import { defaultMetadata } from "../../../domain/looks/render-metadata.ts";
import { createCode } from "../../api/codes.ts";
import { allProjects } from "../../api/projects.ts";
import { address, go, place } from "../../app/location.ts";
import { refreshSession, user } from "../../app/session.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { SelectField, TextArea, TextField } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { messageOf, Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Card } from "../../parts/small.tsx";
import { tell } from "../../parts/toast.tsx";
import { useLoad, useWork } from "../../parts/work.ts";
import { isLink, typeWords } from "../../words/codes.ts";
import { type Looks, newLooks, readLooks } from "../code/looks.ts";
import { LooksForm } from "../code/looks-form.tsx";
import { Preview, sampleSlug } from "../code/preview.tsx";

const types = ["url", "text"];

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
  const content = isALink ? `${user().public_url}/${sampleSlug}` : text.value;
  const submit = (event: Event) => {
    event.preventDefault();
    if (read.problem !== null) return;
    void making.run(async () => {
      const made = await createCode({
        type: type.value as "url" | "text",
        ...(name.value.trim() !== "" && { name: name.value.trim() }),
        ...(project.value !== "" && { project_id: project.value }),
        ...(isALink ? { redirect_url: url.value.trim() } : { text: text.value }),
        ...(read.changes !== null && { qr_render_metadata: read.changes }),
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
          <fieldset class="types">
            <legend class="spoken">What the code does</legend>
            {types.map((each) => {
              const { words, icon, about } = typeWords[each]!;
              return (
                <label key={each} class="type">
                  <input
                    type="radio"
                    name="type"
                    value={each}
                    checked={type.value === each}
                    onChange={() => {
                      type.value = each;
                      making.clear();
                    }}
                  />
                  <Icon name={icon} />
                  <strong>{words}</strong>
                  <span class="small soft">{about}</span>
                </label>
              );
            })}
          </fieldset>
          <Card title="Content">
            <div class="stack">
              {isALink ? (
                <TextField
                  label="Destination"
                  type="url"
                  inputMode="url"
                  placeholder="https://"
                  required
                  value={url.value}
                  problem={making.problemOf("redirect_url")}
                  onValue={(value) => {
                    url.value = value;
                  }}
                  hint="Where a scan leads. You can change it later, without printing the code again."
                />
              ) : (
                <TextArea
                  label="Text"
                  required
                  maxLength={1000}
                  value={text.value}
                  problem={making.problemOf("text")}
                  onValue={(value) => {
                    text.value = value;
                  }}
                  hint="It is in the picture itself and cannot be changed later."
                />
              )}
              <div class="field-row">
                <TextField
                  label="Name"
                  optional
                  maxLength={200}
                  value={name.value}
                  problem={making.problemOf("name")}
                  onValue={(value) => {
                    name.value = value;
                  }}
                  hint="For you alone, to find it again."
                />
                <SelectField
                  label="Project"
                  value={project.value}
                  problem={making.problemOf("project_id")}
                  options={[
                    ["", "The default project"],
                    ...(projects.value ?? [])
                      .filter(({ is_archived }) => !is_archived)
                      .map(({ project_id, name: words }) => [project_id, words] as const),
                  ]}
                  onValue={(value) => {
                    project.value = value;
                  }}
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
            {content === "" ? (
              <p class="soft">Write the text, and the code appears here.</p>
            ) : (
              <Preview content={content} metadata={read.metadata} alt="Preview of the new code" />
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

const fields = ["redirect_url", "text", "name", "project_id"];
