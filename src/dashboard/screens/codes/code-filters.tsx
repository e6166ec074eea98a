/** What the list of codes is narrowed to. It is in the address, so that it can be kept, shared and gone back to. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Project } from "../../api/projects.ts";
import { adjust } from "../../app/location.ts";
import { type Option, Segments, Select } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useSettled } from "../../parts/work.ts";
import { typeWords } from "../../words/codes.ts";
import { ProjectSelect } from "../projects/project-select.tsx";

export interface Filters {
  search: string;
  project: string;
  type: string;
  show: "live" | "archived" | "all";
  sort: string;
}

const plain: Filters = { search: "", project: "", type: "", show: "live", sort: "newest" };

export function filtersOf(query: URLSearchParams): Filters {
  const filters = { ...plain, ...Object.fromEntries(query) };
  const { search, project, type, show, sort } = filters;
  return {
    search,
    project,
    type,
    show: show === "archived" || show === "all" ? show : "live",
    sort: sort === "oldest" || sort === "label" ? sort : "newest",
  };
}

export function writeFilters(filters: Filters): void {
  const entries = Object.entries(filters).filter(([name, value]) => value !== plain[name as keyof Filters]);
  adjust("/codes", Object.fromEntries(entries));
}

export function statusesOf({ show }: Filters): string[] {
  return { live: ["active", "blocked"], archived: ["archived"], all: ["active", "blocked", "archived"] }[
    show
  ];
}

/** Beyond whether archived ones are shown. */
export function isFiltered({ search, project, type }: Filters): boolean {
  return search !== "" || project !== "" || type !== "";
}

const typeOptions = Object.entries(typeWords).map(([type, { words }]): Option => [type, words]);

const settleMs = 250;

export function CodeFilters(props: {
  filters: Filters;
  projects: readonly Project[];
  onChange: (changed: Partial<Filters>) => void;
}) {
  const { filters, projects, onChange } = props;
  const typed = useSignal(filters.search);
  const settled = useSettled(typed.value, settleMs);
  const last = useRef(filters.search);
  useEffect(() => {
    if (settled.value === last.current) return;
    last.current = settled.value;
    onChange({ search: settled.value });
  }, [settled.value]);
  // Cleared, or changed by going back.
  useEffect(() => {
    if (filters.search === last.current) return;
    last.current = filters.search;
    typed.value = filters.search;
  }, [filters.search]);
  return (
    <search class="filters">
      <div class="with-icon filters-search">
        <Icon name="search" />
        <input
          class="input"
          type="search"
          aria-label="Search by name"
          placeholder="Search by name"
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
        />
      </div>
      <ProjectSelect
        projects={projects}
        value={filters.project}
        onValue={(project) => onChange({ project })}
      />
      <Select
        aria-label="Type"
        value={filters.type}
        onValue={(type) => onChange({ type })}
        options={[["", "All types"], ...typeOptions]}
      />
      <Select
        aria-label="Order"
        value={filters.sort}
        onValue={(sort) => onChange({ sort })}
        options={[
          ["newest", "Newest first"],
          ["oldest", "Oldest first"],
          ["label", "By name"],
        ]}
      />
      <Segments
        label="Which codes"
        value={filters.show}
        onValue={(show) => onChange({ show })}
        options={[
          ["live", "In use"],
          ["archived", "Archived"],
          ["all", "All"],
        ]}
      />
    </search>
  );
}
