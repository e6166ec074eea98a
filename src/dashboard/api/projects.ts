/** Projects, archived ones too. */
import type { AdminProject, Page } from "../../schema/responses.ts";
import { call } from "./client.ts";

export type Project = AdminProject;

const pageSize = 100;

export function listProjects(pageToken: string | null, signal?: AbortSignal): Promise<Page<Project>> {
  return call("GET", "/projects", { query: { page_size: pageSize, page_token: pageToken }, signal });
}

/** All of them: an account has at most some thousand. */
export async function allProjects(signal?: AbortSignal): Promise<Project[]> {
  const projects: Project[] = [];
  let token: string | null = null;
  do {
    const page: Page<Project> = await listProjects(token, signal);
    projects.push(...page.items);
    token = page.next_page_token;
  } while (token !== null);
  return projects;
}

export function createProject(body: {
  name: string;
  description?: string;
  set_as_default?: boolean;
}): Promise<Project> {
  return call("POST", "/v1/projects", { body });
}

export function updateProject(
  id: string,
  body: { name?: string; description?: string; archived?: boolean; is_default?: true },
): Promise<Project> {
  return call("PATCH", `/projects/${encodeURIComponent(id)}`, { body });
}
