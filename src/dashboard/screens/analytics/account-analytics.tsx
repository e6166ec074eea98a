/** How all codes are scanned, or those of one project. */
import type { Scope } from "../../api/analytics.ts";
import { allProjects } from "../../api/projects.ts";
import { place } from "../../app/location.ts";
import { user } from "../../app/session.ts";
import { Page } from "../../parts/page.tsx";
import { useLoad } from "../../parts/work.ts";
import { ProjectSelect } from "../projects/project-select.tsx";
import { choiceOf, writeChoice } from "./range.ts";
import { ScanViews } from "./scan-views.tsx";

export default function AccountAnalytics() {
  const projects = useLoad(allProjects, []);
  const choice = choiceOf(place.value.query, user().account.limits.analytics_days);
  const scope: Scope = choice.project === "" ? { kind: "account" } : { kind: "project", id: choice.project };
  return (
    <Page
      title="Analytics"
      actions={
        <ProjectSelect
          projects={projects.value}
          value={choice.project}
          onValue={(project) => writeChoice({ ...choice, project })}
        />
      }
    >
      <ScanViews scope={scope} choice={choice} />
    </Page>
  );
}
