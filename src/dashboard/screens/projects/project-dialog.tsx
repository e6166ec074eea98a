/** Name and description of a project, new or old. */
import { useSignal } from "@preact/signals";
import type { Project } from "../../api/projects.ts";
import { CheckField, NameField, TextArea } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { kept } from "../../parts/work.ts";

export function ProjectDialog(props: {
  project: Project | null;
  onClose: () => void;
  onSave: (fields: { name: string; description: string; set_as_default?: boolean }) => Promise<void>;
}) {
  const { project, onClose, onSave } = props;
  const name = useSignal(project?.name ?? "");
  const description = useSignal(project?.description ?? "");
  const isDefault = useSignal(false);
  return (
    <FormDialog
      title={project === null ? "New project" : "Edit project"}
      act={project === null ? "Make the project" : "Save"}
      fields={["name", "description"]}
      work={() =>
        onSave({
          name: name.value.trim(),
          description: description.value.trim(),
          ...(isDefault.value && { set_as_default: true }),
        })
      }
      onClose={onClose}
    >
      {(problemOf) => (
        <>
          <NameField required autofocus {...kept(name)} problem={problemOf("name")} />
          <TextArea
            label="Description"
            optional
            maxLength={2000}
            {...kept(description)}
            problem={problemOf("description")}
          />
          {project === null && (
            <CheckField
              label="Make it the default project"
              hint="New codes that name no project belong to it."
              {...kept(isDefault)}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
