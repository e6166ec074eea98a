import type { Project } from "../../api/projects.ts";
import { type Option, Select } from "../../parts/field.tsx";

/** Narrows what is shown to a project; archived ones are among them. */
export function ProjectSelect(props: {
  projects: readonly Project[] | null;
  value: string;
  onValue: (projectId: string) => void;
}) {
  const { projects, value, onValue } = props;
  const options = (projects ?? []).map(
    ({ project_id, name, is_archived }): Option => [project_id, is_archived ? `${name} (archived)` : name],
  );
  return (
    <Select
      aria-label="Project"
      value={value}
      onValue={onValue}
      options={[["", "All projects"], ...options]}
    />
  );
}
