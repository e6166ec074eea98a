import type { Millis } from "../../runtime/clock.ts";
import { newId } from "../../runtime/ids.ts";
import type { Random } from "../../runtime/random.ts";
import { type Command, type Effect, onAccount } from "../command.ts";
import type { UpdateOwnProjectBody } from "../dashboard-requests.ts";
import type { ProjectDoc, Write } from "../documents.ts";
import { ApiError, invalidField } from "../errors.ts";
import type { CreateProjectBody, UpdateProjectBody } from "../requests.ts";
import { requireProjectRoom } from "./entitlement.ts";

/** A project as its owner sees it: which one is the default is the account's knowledge. */
export interface OwnedProject {
  project: ProjectDoc;
  isDefault: boolean;
}

export function createProject(
  body: CreateProjectBody,
  random: Random,
  via: "api" | "dashboard" = "api",
): Command<OwnedProject> {
  return onAccount((view, now) => {
    const project_count = requireProjectRoom(view);
    const project: ProjectDoc = {
      ...newProject(view.account.id, body.name, now, random),
      description: body.description ?? "",
      created_via: via,
    };
    const isDefault = body.set_as_default === true;
    const default_project_id = isDefault ? project.id : view.account.default_project_id;
    const writes: Write[] = [
      { collection: "projects", put: project },
      { collection: "accounts", put: { ...view.account, default_project_id, project_count } },
    ];
    return { answer: { project, isDefault }, writes };
  });
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

/** The same for its owner, who may also make it the default one; that one is never archived. */
export function updateOwnProject(id: string, body: UpdateOwnProjectBody): Command<OwnedProject> {
  const update = updateProject(id, body);
  return {
    needs: update.needs,

    apply(view, now): Effect<OwnedProject> {
      const { answer, writes } = update.apply(view, now);
      const isDefault = answer.isDefault || body.is_default === true;
      if (isDefault && answer.project.is_archived) {
        throw body.archived === true
          ? invalidField("archived", "must not be true for the default project; make another one the default")
          : invalidField("is_default", "must not be set for an archived project");
      }
      if (isDefault === answer.isDefault) return { answer, writes };
      const account = { ...view.account, default_project_id: id, updated_at: now };
      return {
        answer: { project: answer.project, isDefault },
        writes: [...writes, { collection: "accounts", put: account }],
      };
    },
  };
}

/** Refuses a project that does not exist or belongs to somebody else. */
export function requireProject(id: string): Command<ProjectDoc> {
  return {
    needs: () => [{ collection: "projects", id }],
    apply(view): Effect<ProjectDoc> {
      const project = view.project(id);
      if (project === null) throw new ApiError("project_not_found");
      return { answer: project, writes: [] };
    },
  };
}
