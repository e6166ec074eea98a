/** Projects: codes that belong together, and that can be switched off together. */
import { useSignal } from "@preact/signals";
import { allProjects, createProject, type Project, updateProject } from "../../api/projects.ts";
import { address } from "../../app/location.ts";
import { refreshSession, user } from "../../app/session.ts";
import { Button } from "../../parts/button.tsx";
import { AskButton } from "../../parts/dialog.tsx";
import { Bones } from "../../parts/empty.tsx";
import { Failure } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Badge } from "../../parts/small.tsx";
import { Heads, Moment } from "../../parts/table.tsx";
import { tell } from "../../parts/toast.tsx";
import { setting, useLoad } from "../../parts/work.ts";
import { count } from "../../words/numbers.ts";
import { day } from "../../words/time.ts";
import { ProjectDialog } from "./project-dialog.tsx";

export default function Projects() {
  const projects = useLoad(allProjects, []);
  /** Null: no dialog. "new": a new one. */
  const editing = useSignal<Project | "new" | null>(null);
  const done = (words: string) => {
    projects.reload();
    refreshSession();
    tell(words);
  };
  const { limits } = user().account;
  return (
    <Page
      title="Projects"
      words={
        projects.value !== null &&
        `${count(projects.value.length)} of ${count(limits.projects)}, archived ones included`
      }
      actions={
        <Button look="primary" icon="plus" onClick={setting(editing, "new")}>
          New project
        </Button>
      }
    >
      {projects.error !== null && <Failure error={projects.error} retry={projects.reload} />}
      <div class="card card-flush" aria-busy={projects.busy}>
        {projects.value === null ? (
          projects.error === null && <Bones words="Loading projects" />
        ) : (
          <table class="table table-cards">
            <caption class="spoken">Projects</caption>
            <Heads columns={["Project", "Made", ["Actions", "spoken"]]} />
            <tbody>
              {projects.value.map((project) => (
                <tr key={project.project_id}>
                  <td>
                    <div class="cell-main">
                      <span class="row">
                        <a href={address("/codes", { project: project.project_id })}>{project.name}</a>
                        {project.is_default && <Badge tone="accent">Default</Badge>}
                        {project.is_archived && <Badge>Archived</Badge>}
                      </span>
                      <span class="small soft">{project.description}</span>
                    </div>
                  </td>
                  <td class="soft pinched" data-heading="Made">
                    <Moment at={project.created_at} words={day} />
                  </td>
                  <td class="pinched">
                    <Actions project={project} onEdit={setting(editing, project)} onDone={done} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {editing.value !== null && (
        <ProjectDialog
          project={editing.value === "new" ? null : editing.value}
          onClose={setting(editing, null)}
          onSave={async (fields) => {
            if (editing.value === "new") await createProject(fields);
            else await updateProject(editing.value!.project_id, fields);
            done(editing.value === "new" ? "The project is made" : "Saved");
            editing.value = null;
          }}
        />
      )}
    </Page>
  );
}

function Actions(props: { project: Project; onEdit: () => void; onDone: (words: string) => void }) {
  const { project, onEdit, onDone } = props;
  const { project_id, name, is_default, is_archived } = project;
  return (
    <span class="row row-end">
      <Button small look="quiet" icon="edit" label={`Rename ${name}`} onClick={onEdit} />
      {!is_default && !is_archived && (
        <AskButton
          look="quiet"
          icon="star"
          label={`Make ${name} the default`}
          title={`Make “${name}” the default?`}
          words="New codes that name no project belong to it from now on."
          act="Make it the default"
          work={async () => {
            await updateProject(project_id, { is_default: true });
            onDone(`“${name}” is the default project`);
          }}
        />
      )}
      {is_archived ? (
        <AskButton
          look="quiet"
          icon="restore"
          label={`Bring ${name} back`}
          title={`Bring “${name}” back?`}
          words="The links of its codes work again."
          act="Bring back"
          work={async () => {
            await updateProject(project_id, { archived: false });
            onDone(`“${name}” is back`);
          }}
        />
      ) : (
        !is_default && (
          <AskButton
            look="quiet"
            icon="archive"
            label={`Archive ${name}`}
            title={`Archive “${name}”?`}
            words="The links of all its codes stop working, and it takes no new ones. You can bring it back at any time."
            act="Archive"
            danger
            work={async () => {
              await updateProject(project_id, { archived: true });
              onDone(`“${name}” is archived`);
            }}
          />
        )
      )}
    </span>
  );
}
