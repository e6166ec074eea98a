/** All codes: found by name and filters, page by page, archived and brought back several at once. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type CodeItem, type CodeSort, listCodes } from "../../api/codes.ts";
import { allProjects } from "../../api/projects.ts";
import { place } from "../../app/location.ts";
import { refreshSession } from "../../app/session.ts";
import { Button } from "../../parts/button.tsx";
import { Bones, Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/notice.tsx";
import { Page } from "../../parts/page.tsx";
import { Pages } from "../../parts/table.tsx";
import { useLoad } from "../../parts/work.ts";
import { ChosenBar } from "./chosen-bar.tsx";
import {
  CodeFilters,
  type Filters,
  filtersOf,
  isFiltered,
  statusesOf,
  writeFilters,
} from "./code-filters.tsx";
import { CodeTable } from "./code-table.tsx";
import { newCodeLink } from "./new-code-link.tsx";

const pageSize = 50;

export default function Codes() {
  const filters = filtersOf(place.value.query);
  /** Tokens of the pages before this one; the last is that of this page. */
  const pages = useSignal<readonly string[]>([]);
  const chosen = useSignal<ReadonlyMap<string, CodeItem>>(new Map());
  const key = JSON.stringify(filters);
  const projects = useLoad(allProjects, []);
  const token = pages.value.at(-1) ?? null;
  const list = useLoad(
    (signal) =>
      listCodes(
        {
          search: filters.search,
          project_id: filters.project,
          type: filters.type,
          status: statusesOf(filters),
          sort: filters.sort as CodeSort,
          page_size: pageSize,
          page_token: token,
        },
        signal,
      ),
    [key, token],
  );
  const change = (changed: Partial<Filters>) => {
    pages.value = [];
    chosen.value = new Map();
    writeFilters({ ...filters, ...changed });
  };
  useEffect(() => {
    chosen.value = new Map();
  }, [token]);

  const page = list.value;
  return (
    <Page title="QR codes" actions={newCodeLink()}>
      <CodeFilters filters={filters} projects={projects.value ?? []} onChange={change} />
      {list.error !== null && <Failure error={list.error} retry={list.reload} />}
      <div class="card card-flush" aria-busy={list.busy} hidden={page === null && list.error !== null}>
        {chosen.value.size > 0 && (
          <ChosenBar
            codes={[...chosen.value.values()]}
            onDone={() => {
              chosen.value = new Map();
              list.reload();
              refreshSession();
            }}
            onClear={() => {
              chosen.value = new Map();
            }}
          />
        )}
        {page === null ? (
          <Bones lines={12} words="Loading codes" />
        ) : page.items.length > 0 ? (
          <CodeTable
            codes={page.items}
            projects={projects.value ?? []}
            chosen={chosen.value}
            onChoose={(map) => {
              chosen.value = map;
            }}
          />
        ) : (
          <NoCodes
            filters={filters}
            onClear={() => change({ search: "", project: "", type: "", show: "live" })}
          />
        )}
      </div>
      <Pages tokens={pages} next={page?.next_page_token ?? null} busy={list.busy} />
    </Page>
  );
}

function NoCodes({ filters, onClear }: { filters: Filters; onClear: () => void }) {
  if (isFiltered(filters)) {
    return (
      <Empty
        icon="search"
        title="No code is like that"
        action={<Button onClick={onClear}>Show all codes</Button>}
      >
        Try another word, or fewer filters.
      </Empty>
    );
  }
  if (filters.show === "archived") {
    return (
      <Empty icon="archive" title="Nothing is archived">
        A code that you archive stops working and waits here, until you bring it back.
      </Empty>
    );
  }
  return (
    <Empty icon="code" title="Make your first code" action={newCodeLink()}>
      Print it once, and change where it leads as often as you like. Every scan is counted.
    </Empty>
  );
}
