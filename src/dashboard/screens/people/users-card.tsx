/** The users of an account, for its owner and for the operator alike. */
import { useSignal } from "@preact/signals";
import type { UserRole } from "../../../domain/documents.ts";
import type { InvitedUserAnswer, User } from "../../../schema/dashboard-responses.ts";
import { changeRole, inviteUser, listUsers, removeUser, resetUser } from "../../api/people.ts";
import { Button } from "../../parts/button.tsx";
import { AskButton, Dialog } from "../../parts/dialog.tsx";
import { Bones, Empty } from "../../parts/empty.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Failure } from "../../parts/notice.tsx";
import { Badge, Card, Secret } from "../../parts/small.tsx";
import { Heads, LastTime } from "../../parts/table.tsx";
import { tell } from "../../parts/toast.tsx";
import { kept, setting, useLoad } from "../../parts/work.ts";
import { dayAndTime } from "../../words/time.ts";

export function UsersCard({ whose, self }: { whose: string | null; self: string | null }) {
  const users = useLoad((signal) => listUsers(whose, signal), [whose]);
  const isInviting = useSignal(false);
  /** A one-time link that was just made: it is shown this once. */
  const given = useSignal<InvitedUserAnswer | null>(null);
  const give = (invited: InvitedUserAnswer) => {
    isInviting.value = false;
    given.value = invited;
    users.reload();
  };
  return (
    <>
      <Card
        title="Who can sign in"
        flush
        actions={
          <Button look="primary" icon="plus" onClick={setting(isInviting, true)}>
            Invite
          </Button>
        }
      >
        {users.error !== null && <Failure error={users.error} retry={users.reload} />}
        {users.value === null ? (
          users.error === null && <Bones lines={4} words="Loading people" />
        ) : users.value.length === 0 ? (
          <Empty icon="people" title="Nobody can sign in yet">
            Invite somebody: they get a link with which they set their password.
          </Empty>
        ) : (
          <table class="table table-cards">
            <caption class="spoken">People</caption>
            <Heads columns={["E-mail", "Role", "Signed in", ["Actions", "spoken"]]} />
            <tbody>
              {users.value.map((user) => (
                <Row
                  key={user.user_id}
                  user={user}
                  whose={whose}
                  isSelf={user.user_id === self}
                  onGiven={give}
                  onChanged={(words) => {
                    users.reload();
                    tell(words);
                  }}
                />
              ))}
            </tbody>
          </table>
        )}
      </Card>
      {isInviting.value && <InviteDialog whose={whose} onGiven={give} onClose={setting(isInviting, false)} />}
      {given.value !== null && <LinkDialog invited={given.value} onClose={setting(given, null)} />}
    </>
  );
}

function Row(props: {
  user: User;
  whose: string | null;
  isSelf: boolean;
  onGiven: (invited: InvitedUserAnswer) => void;
  /** With words that say what has become of the user. */
  onChanged: (words: string) => void;
}) {
  const { user, whose, isSelf, onGiven, onChanged } = props;
  return (
    <tr>
      <td>
        <span class="row">
          <strong>{user.email}</strong>
          {isSelf && <Badge tone="accent">You</Badge>}
          {!user.has_password && (
            <Badge tone="warn">{user.invited_until === null ? "Link has run out" : "Invited"}</Badge>
          )}
        </span>
      </td>
      <td class="soft" data-heading="Role">
        {user.role === "owner" ? "Owner" : "Member"}
      </td>
      <td class="soft pinched" data-heading="Signed in">
        <LastTime at={user.signed_in_at} />
      </td>
      <td class="pinched">
        <span class="row row-end">
          <AskButton
            title={user.has_password ? "Give a link for a new password?" : "Give a new link?"}
            words={`Whoever has the link can set the password of ${user.email}, once, within 24 hours. Earlier links stop working.`}
            act="Make the link"
            work={async () => onGiven(await resetUser(whose, user.user_id))}
          >
            {user.has_password ? "Reset password" : "New link"}
          </AskButton>
          {!isSelf && <RoleButton user={user} whose={whose} onChanged={onChanged} />}
          {!isSelf && (
            <AskButton
              look="danger"
              title={`Remove ${user.email}?`}
              words="They are signed out at once and cannot sign in again. What they made stays."
              act="Remove"
              danger
              work={async () => {
                await removeUser(whose, user.user_id);
                onChanged(`${user.email} is removed`);
              }}
            >
              Remove
            </AskButton>
          )}
        </span>
      </td>
    </tr>
  );
}

const otherRole = {
  member: {
    role: "owner",
    act: "Make owner",
    words: "Owners make keys, invite and remove people, and change the account.",
    done: "an owner",
  },
  owner: {
    role: "member",
    act: "Make member",
    words: "Members work with codes, projects and analytics. They lose all else at once.",
    done: "a member",
  },
} as const;

function RoleButton(props: { user: User; whose: string | null; onChanged: (words: string) => void }) {
  const { email, user_id, role: present } = props.user;
  const { role, act, words, done } = otherRole[present];
  return (
    <AskButton
      title={`Make ${email} ${done}?`}
      words={words}
      act={act}
      work={async () => {
        await changeRole(props.whose, user_id, role);
        props.onChanged(`${email} is ${done} now`);
      }}
    >
      {act}
    </AskButton>
  );
}

function InviteDialog(props: {
  whose: string | null;
  onGiven: (invited: InvitedUserAnswer) => void;
  onClose: () => void;
}) {
  const email = useSignal("");
  const role = useSignal<UserRole>("member");
  return (
    <FormDialog
      title="Invite somebody"
      act="Invite"
      fields={["email"]}
      work={async () => props.onGiven(await inviteUser(props.whose, email.value.trim(), role.value))}
      onClose={props.onClose}
    >
      {(problemOf) => (
        <>
          <TextField
            label="E-mail"
            type="email"
            required
            autofocus
            autocomplete="off"
            {...kept(email)}
            problem={problemOf("email")}
          />
          <SelectField
            label="Role"
            value={role.value}
            onValue={(value) => {
              role.value = value as UserRole;
            }}
            options={[
              ["member", "Member: codes, projects, analytics"],
              ["owner", "Owner: keys, people and the account as well"],
            ]}
          />
        </>
      )}
    </FormDialog>
  );
}

function LinkDialog({ invited, onClose }: { invited: InvitedUserAnswer; onClose: () => void }) {
  return (
    <Dialog title={`A link for ${invited.email}`} onClose={onClose}>
      <p class="soft">
        Send it to them in a way that you trust. With it they set their password. It works once, until{" "}
        {dayAndTime(invited.expires_at)}, and is shown only now.
      </p>
      <Secret text={invited.one_time_link} what="Link" />
      <div class="dialog-end">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
