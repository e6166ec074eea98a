import type { Millis } from "../../runtime/clock.ts";
import { newId } from "../../runtime/ids.ts";
import type { Random } from "../../runtime/random.ts";
import type { Command, Effect } from "../command.ts";
import type { ProjectDoc, Write } from "../documents.ts";
import { ApiError } from "../errors.ts";
import type { CreateProjectBody, UpdateProjectBody } from "../requests.ts";
import { requireProjectRoom } from "./entitlement.ts";

/** A project as its owner sees it: which one is the default is the account's knowledge. */
export interface OwnedProject {
  project: ProjectDoc;
  isDefault: boolean;
}

export function createProject(body: CreateProjectBody, random: Random): Command<OwnedProject> {
  return {
    needs: () => [],

    apply(view, now): Effect<OwnedProject> {
      const project_count = requireProjectRoom(view);
      const project: ProjectDoc = {
        ...newProject(view.account.id, body.name, now, random),
        description: body.description ?? "",
        created_via: "api",
      };
      const isDefault = body.set_as_default === true;
      const default_project_id = isDefault ? project.id : view.account.default_project_id;
      const writes: Write[] = [
        { collection: "projects", put: project },
        { collection: "accounts", put: { ...view.account, default_project_id, project_count } },
      ];
      return { answer: { project, isDefault }, writes };
    },
  };
}

export function newProject(accountId: string, name: string, now: Millis, random: Random): ProjectDoc {
  return {
    id: newId("prj", now, random),
    account_id: accountId,
    name,
    description: "",
    is_archived: false,
    created_via: null,
    created_at: now,
    updated_at: now,
  };
}

/** Renames, describes, archives or unarchives a project: what the dashboard can do. */
export function updateProject(id: string, body: UpdateProjectBody): Command<OwnedProject> {
  return {
    needs: () => [{ collection: "projects", id }],

    apply(view, now): Effect<OwnedProject> {
      const before = view.project(id);
      if (before === null) throw new ApiError("project_not_found");
      const project: ProjectDoc = {
        ...before,
        name: body.name ?? before.name,
        description: body.description ?? before.description,
        is_archived: body.archived ?? before.is_archived,
        updated_at: now,
      };
      const isDefault = view.account.default_project_id === id;
      return { answer: { project, isDefault }, writes: [{ collection: "projects", put: project }] };
    },
  };
}

/** Refuses a project that does not exist or belongs to somebody else. */
export function requireProject(id: string): Command<void> {
  return {
    needs: () => [{ collection: "projects", id }],
    apply(view): Effect<void> {
      if (view.project(id) === null) throw new ApiError("project_not_found");
      return { answer: undefined, writes: [] };
    },
  };
}
