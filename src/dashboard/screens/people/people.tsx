/** Who can sign in to this account. */
import { user } from "../../app/session.ts";
import { Page } from "../../parts/page.tsx";
import { UsersCard } from "./users-card.tsx";

export default function PeopleScreen() {
  return (
    <Page
      title="People"
      words="Members work with codes, projects and analytics. Owners also have keys, people and the account."
    >
      <UsersCard whose={null} self={user().user.user_id} />
    </Page>
  );
}
