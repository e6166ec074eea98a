/** Name and description of a project, new or old. */
import { useSignal } from "@preact/signals";
import type { Project } from "../../api/projects.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { CheckField, TextArea, TextField } from "../../parts/field.tsx";
import { messageOf, Notice } from "../../parts/notice.tsx";
import { useWork } from "../../parts/work.ts";

export function ProjectDialog(props: {
  project: Project | null;
  onClose: () => void;
  onSave: (fields: { name: string; description: string; set_as_default?: boolean }) => Promise<void>;
}) {
  const { project, onClose, onSave } = props;
  const name = useSignal(project?.name ?? "");
  const description = useSignal(project?.description ?? "");
  const isDefault = useSignal(false);
  const { busy, error, problemOf, run } = useWork();
  const isAtField = problemOf("name") !== null || problemOf("description") !== null;
  return (
    <Dialog title={project === null ? "New project" : "Edit project"} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run(() =>
            onSave({
              name: name.value.trim(),
              description: description.value.trim(),
              ...(isDefault.value && { set_as_default: true }),
            }),
          );
        }}
      >
        {error !== null && !isAtField && <Notice tone="bad">{messageOf(error)}</Notice>}
        <TextField
          label="Name"
          required
          autofocus
          maxLength={200}
          value={name.value}
          problem={problemOf("name")}
          onValue={(value) => {
            name.value = value;
          }}
        />
        <TextArea
          label="Description"
          optional
          maxLength={2000}
          value={description.value}
          problem={problemOf("description")}
          onValue={(value) => {
            description.value = value;
          }}
        />
        {project === null && (
          <CheckField
            label="Make it the default project"
            hint="New codes that name no project belong to it."
            checked={isDefault.value}
            onValue={(checked) => {
              isDefault.value = checked;
            }}
          />
        )}
        <div class="dialog-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            {project === null ? "Make the project" : "Save"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
