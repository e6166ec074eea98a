/** The editor: what is changed here is kept apart until it is saved, and seen in the preview at once. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Code, TextData } from "../../../schema/responses.ts";
import { updateCode } from "../../api/codes.ts";
import { address, guardLeaving } from "../../app/location.ts";
import { refreshSession, user } from "../../app/session.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { ask } from "../../parts/dialog.tsx";
import { NameField, TextArea, TextField } from "../../parts/field.tsx";
import { messageOf, Notice } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Badge, Card, CopyButton } from "../../parts/small.tsx";
import { tell } from "../../parts/toast.tsx";
import { useWork } from "../../parts/work.ts";
import { isBeingDrawn, isLink, lifeOf, pathOf, typeName } from "../../words/codes.ts";
import { dayAndTime } from "../../words/time.ts";
import { CodeTabs } from "./code-tabs.tsx";
import { changesOf, type Draft, draftOfCode } from "./draft.ts";
import { LimitsForm } from "./limits-form.tsx";
import { LooksForm } from "./looks/looks-form.tsx";
import { Preview, sampleSlug } from "./looks/preview.tsx";
import { ruleOf } from "./rules/rule-draft.ts";
import { RulesForm } from "./rules/rules-form.tsx";
import { useVisit, VisitForm } from "./rules/visit-form.tsx";

export function Editor({ code, onCode }: { code: Code; onCode: (code: Code) => void }) {
  const draft = useSignal<Draft>(draftOfCode(code));
  const saving = useWork();
  const { body, looks, hasHalfRules } = changesOf(draft.value, code);
  const isChanged = body !== null;
  const change = (changed: Partial<Draft>) => {
    draft.value = { ...draft.value, ...changed };
  };
  useEffect(() => {
    guardLeaving(isChanged ? () => confirm("Leave without saving your changes?") : null);
    return () => guardLeaving(null);
  }, [isChanged]);

  const isALink = isLink(code.type);
  const visit = useVisit(
    code.qr_id,
    code.type === "url" ? draft.value.url.trim() || null : null,
    hasHalfRules ? null : draft.value.rules.map(ruleOf),
  );
  const save = () =>
    saving.run(async () => {
      if (body === null) return;
      const saved = await updateCode(code.qr_id, body);
      draft.value = draftOfCode(saved);
      onCode(saved);
      tell("Saved");
    });
  const link = code.slug === null ? null : `${user().public_url}/${code.slug}`;
  const content = isALink ? (link ?? `${user().public_url}/${sampleSlug}`) : (code.qr_data as TextData).text;
  const life = lifeOf(code);
  const hasKnownField = knownFields.some((field) => saving.problemOf(field) !== null);
  const isStuck = looks.problem !== null || hasHalfRules;
  return (
    <Page
      title={code.label}
      back={{ href: address("/codes"), words: "QR codes" }}
      words={
        <span class="row">
          <Badge tone={life.tone}>{life.words}</Badge>
          <span>{typeName(code.type)}</span>
          {link !== null && isALink && (
            <>
              <a href={link} target="_blank" rel="noopener noreferrer">
                {link.replace(/^https?:\/\//, "")}
              </a>
              <CopyButton text={link} what="Link" small />
            </>
          )}
        </span>
      }
      actions={<StatusButton code={code} onCode={onCode} />}
    >
      {(isALink || code.type === "text") && <CodeTabs id={code.qr_id} at="code" />}
      <State code={code} />
      <div class="editor">
        <form
          class="stack stack-wide"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <Card title="Content">
            <div class="stack">
              <NameField
                value={draft.value.label}
                required
                problem={saving.problemOf("label")}
                onValue={(label) => change({ label })}
                hint="For you alone: who scans the code does not see it."
              />
              {isALink ? (
                <TextField
                  label="Destination"
                  type="url"
                  inputMode="url"
                  value={draft.value.url}
                  readOnly={code.type !== "url"}
                  problem={saving.problemOf("redirect_url")}
                  onValue={(url) => change({ url })}
                  hint={
                    code.type === "url"
                      ? "A change takes effect with the next scan. The printed code stays as it is."
                      : "A code of this type keeps its destination. Make one of the type Link to change it later."
                  }
                />
              ) : (
                <TextArea
                  label="What the code says"
                  value={content}
                  readOnly
                  rows={Math.min(10, content.split("\n").length + 1)}
                  onValue={() => {}}
                  hint="It is in the picture itself and cannot be changed. For another content, make a new code."
                />
              )}
            </div>
          </Card>
          <Card title="Looks">
            <LooksForm
              looks={draft.value.looks}
              metadata={looks.metadata}
              problem={looks.problem}
              onLooks={(next) => change({ looks: next })}
            />
          </Card>
          {isALink && (
            <>
              <Card title="Redirect rules">
                <div class="stack">
                  <PlanNotice what="Redirect rules" />
                  <RulesForm
                    rules={draft.value.rules}
                    met={hasHalfRules ? null : (visit.answer.value?.rule ?? null)}
                    problemOf={saving.problemOf}
                    onRules={(rules) => change({ rules })}
                  />
                </div>
              </Card>
              <Card title="What would this visitor get?">
                <VisitForm visit={visit} isIncomplete={hasHalfRules} />
              </Card>
              <Card title="Limits">
                <div class="stack">
                  <PlanNotice what="An expiry and a limit of scans" />
                  <LimitsForm code={code} draft={draft.value} problemOf={saving.problemOf} onDraft={change} />
                </div>
              </Card>
            </>
          )}
          {isChanged && (
            <section class="save-bar" aria-label="Unsaved changes">
              <span class="grow">
                {saving.error !== null ? (
                  <span class="field-problem" role="alert">
                    {hasKnownField
                      ? "Something is not right yet: see the marked field."
                      : messageOf(saving.error)}
                  </span>
                ) : hasHalfRules ? (
                  "A rule is not complete yet."
                ) : (
                  "You have unsaved changes."
                )}
              </span>
              <Button
                onClick={() => {
                  draft.value = draftOfCode(code);
                  saving.clear();
                }}
              >
                Discard
              </Button>
              <Button type="submit" look="primary" busy={saving.busy} disabled={isStuck}>
                Save
              </Button>
            </section>
          )}
        </form>
        <aside class="editor-side" aria-label="Preview">
          <div class="card stack">
            <Preview content={content} metadata={looks.metadata} alt={`QR code of ${code.label}`} />
            {code.slug === null && isALink && (
              <p class="small soft">
                A sample until the code has its link: the pattern is going to be another one.
              </p>
            )}
            <Downloads code={code} isChanged={isChanged} />
          </div>
          <div class="card">
            <dl class="facts small">
              <dt>Made</dt>
              <dd>{dayAndTime(code.created_at)}</dd>
              <dt>Changed</dt>
              <dd>{dayAndTime(code.updated_at)}</dd>
              <dt>Id</dt>
              <dd class="mono">{code.qr_id}</dd>
            </dl>
          </div>
        </aside>
      </div>
    </Page>
  );
}

/** Fields of the form that show by themselves what the service says of them. */
const knownFields = ["label", "redirect_url", "redirect_rules", "expires_at", "scan_limit"];

function State({ code }: { code: Code }) {
  if (code.status === "blocked") {
    return (
      <Notice tone="bad">
        This code is blocked: where it leads was found to be unsafe. Who scans it gets a page that says so.
        The operator of the service can look at it again.
      </Notice>
    );
  }
  if (code.status === "archived") {
    return <Notice>This code is archived: its link does not work. Bring it back to use it again.</Notice>;
  }
  if (code.render_status === "error") {
    return (
      <Notice tone="bad">
        The picture could not be drawn{code.render_error === null ? "" : ` (${code.render_error})`}. Change
        its looks and save; that draws it again.
      </Notice>
    );
  }
  return null;
}

function PlanNotice({ what }: { what: string }) {
  const { features, account } = user();
  if (features.advanced) return null;
  return (
    <Notice>
      {what} are not part of the plan “{account.plan}”. You can remove what is set, and nothing new can be
      set. Ask the operator of the service for another plan.
    </Notice>
  );
}

function Downloads({ code, isChanged }: { code: Code; isChanged: boolean }) {
  if (code.file_url_svg === null) {
    return code.render_status === "error" ? null : (
      <p class="small soft row" role="status">
        <span class="spinner" /> The picture is being drawn.
      </p>
    );
  }
  const isOld = isBeingDrawn(code);
  return (
    <div class="stack stack-tight">
      <div class="row">
        <ButtonLink href={`${pathOf(code.file_url_svg)}?download=1`} icon="download" small download>
          SVG
        </ButtonLink>
        {code.file_url_png !== null && (
          <ButtonLink href={`${pathOf(code.file_url_png)}?download=1`} icon="download" small download>
            PNG
          </ButtonLink>
        )}
        <ButtonLink href={address(`/codes/${code.qr_id}/print`)} icon="print" small>
          Print
        </ButtonLink>
      </div>
      <p class="small soft" role="status">
        {isOld ? "A new picture is being drawn…" : isChanged ? "Files show the code as it was saved." : ""}
      </p>
    </div>
  );
}

function StatusButton({ code, onCode }: { code: Code; onCode: (code: Code) => void }) {
  const work = useWork();
  if (code.status === "archived") {
    return (
      <Button
        icon="restore"
        busy={work.busy}
        onClick={() =>
          void work
            .run(async () => {
              onCode(await updateCode(code.qr_id, { status: "active" }));
              refreshSession();
              tell("The code is back");
            })
            .then(
              (isDone) =>
                isDone || tell("The code could not be brought back. See what your plan allows.", "bad"),
            )
        }
      >
        Bring back
      </Button>
    );
  }
  return (
    <Button
      icon="archive"
      onClick={() =>
        ask({
          title: "Archive this code?",
          words: "Its link stops working at once. You can bring it back at any time.",
          act: "Archive",
          danger: true,
          work: async () => {
            onCode(await updateCode(code.qr_id, { status: "archived" }));
            refreshSession();
            tell("Archived");
          },
        })
      }
    >
      Archive
    </Button>
  );
}
