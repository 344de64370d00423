import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ROLES, type Role } from '../../../../shared/core/member-role.ts';
import type { ChangeMemberBody, InviteBody } from '../../../../shared/members/console/bodies.ts';
import type { InvitationView, MembersView, MemberView } from '../../../../shared/members/console/views.ts';
import { mayAssign } from '../../../../shared/members/role.ts';
import { send } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Dialog } from '../components/dialog.tsx';
import { RadioField, TextField } from '../components/field.tsx';
import { Form } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Data, Page } from '../components/page.tsx';
import { SignInHint } from '../components/sign-in-hint.tsx';
import { Time } from '../components/time.tsx';
import { keptInput, useForm } from '../form.ts';
import { formatDay } from '../format.ts';
import { type LoadedData, useData } from '../loaded-data.ts';
import { loadSession, may, role } from '../session.ts';
import { pageTitles, roleNames } from '../shared-texts.ts';
import './team.css';

const ROLE_HINTS = {
  owner: 'Can do everything, and can make others owners.',
  admin:
    'Manages the profile, members, services, all keys, webhooks, and the wallet with its invoices, except automatic top-up. Can spend money: buys credits. Adds test credits. Sees requests, usage and the audit trail.',
  developer:
    'Manages test keys and webhooks, adds test credits, and sees live keys, services, requests, usage and alerts, but no invoices.',
  finance:
    'Can spend money: buys credits, and sets up automatic top-up. Manages the billing details and the low-balance alert. Sees the statement, invoices, services, usage and alerts, but no keys or requests.',
  viewer:
    'Cannot change anything, except which emails they receive. Sees Home, services, requests, usage and alerts, but no invoices.',
} satisfies Record<Role, string>;

type OpenDialog =
  | { readonly is: 'invite' }
  | { readonly is: 'change'; readonly member: MemberView }
  | { readonly is: 'remove'; readonly member: MemberView }
  | { readonly is: 'cancel'; readonly invitation: InvitationView };

/** The names of the forms, under which their input is kept during a sign-in. */
const FORMS = {
  invite: 'invite-member',
  change: 'change-member',
  remove: 'remove-member',
  cancel: 'cancel-invitation',
} as const;

export default function Team() {
  const data = useData<MembersView>('/members');
  const dialog = useSignal<OpenDialog | undefined>(undefined);
  const canInvite = data.state.value.is === 'loaded' && may('invite-member');
  const invite = (
    <Button
      kind="primary"
      onClick={() => {
        dialog.value = { is: 'invite' };
      }}
    >
      Invite member
    </Button>
  );
  return (
    <Page
      title={pageTitles.team}
      lead="The members of your organisation, and what they may do."
      action={canInvite && invite}
    >
      <Data data={data}>{(team) => <Content team={team} data={data} dialog={dialog} />}</Data>
    </Page>
  );
}

interface ContentProps {
  readonly team: MembersView;
  readonly data: LoadedData<MembersView>;
  readonly dialog: Signal<OpenDialog | undefined>;
}

function Content({ team, data, dialog }: ContentProps) {
  const message = useSignal('');
  useEffect(() => {
    dialog.value = keptDialog(team);
  }, []);
  const close = () => {
    dialog.value = undefined;
  };
  const done = (text: string) => {
    close();
    message.value = text;
    data.reload();
  };
  const open = (next: OpenDialog) => {
    message.value = '';
    dialog.value = next;
  };
  return (
    <>
      {message.value && <Notice kind="success">{message.value}</Notice>}
      <DataTable caption="Members" columns={memberColumns(open)} rows={team.members} keyOf={({ id }) => id} />
      {team.invitations.length > 0 && (
        <section class="section">
          <h2>Open invitations</h2>
          <DataTable
            caption="Open invitations"
            columns={invitationColumns(open)}
            rows={team.invitations}
            keyOf={({ id }) => id}
          />
        </section>
      )}
      {dialog.value && <TeamDialog dialog={dialog.value} onDone={done} onClose={close} />}
    </>
  );
}

function keptDialog({ members, invitations }: MembersView): OpenDialog | undefined {
  if (keptInput(FORMS.invite)) return { is: 'invite' };
  for (const is of ['change', 'remove'] as const) {
    const kept = keptInput<{ id: string }>(FORMS[is]);
    const member = members.find(({ id }) => id === kept?.id);
    if (member) return { is, member };
  }
  const kept = keptInput<{ id: string }>(FORMS.cancel);
  const invitation = invitations.find(({ id }) => id === kept?.id);
  return invitation && { is: 'cancel', invitation };
}

// The tables.

type Open = (dialog: OpenDialog) => void;

const mayManage = (other: Role) => role.value !== undefined && mayAssign(role.value, other);

const memberColumns = (open: Open): Column<MemberView>[] => [
  { head: 'Name', cell: (member) => <MemberName member={member} /> },
  { head: 'Role', cell: (member) => roleNames[member.role] },
  {
    head: 'Member since',
    cell: ({ since, invited_by }) => (
      <>
        <Time at={since} as="day" />
        {invited_by && <span class="small block">invited by {invited_by}</span>}
      </>
    ),
  },
  {
    head: 'Last sign-in',
    cell: ({ last_sign_in }) => (last_sign_in ? formatDay(last_sign_in) : '–'),
  },
  {
    head: 'Actions',
    kind: 'actions',
    cell: (member) => <MemberActions member={member} open={open} />,
  },
];

function MemberName({ member: { name, email, is_you } }: { readonly member: MemberView }) {
  return (
    <div>
      <span>{name}</span> {is_you && <Badge>You</Badge>}
      <div class="small">{email}</div>
    </div>
  );
}

function MemberActions({ member, open }: { readonly member: MemberView; readonly open: Open }) {
  if (!mayManage(member.role)) return null;
  return (
    <>
      <Button about={member.name} onClick={() => open({ is: 'change', member })}>
        Change role
      </Button>
      <Button kind="removal" about={member.name} onClick={() => open({ is: 'remove', member })}>
        {member.is_you ? 'Leave' : 'Remove'}
      </Button>
    </>
  );
}

const invitationColumns = (open: Open): Column<InvitationView>[] => [
  { head: 'Email address', cell: ({ email }) => email },
  { head: 'Role', cell: (invitation) => roleNames[invitation.role] },
  {
    head: 'Expires',
    cell: ({ expires_at }) => (
      <>
        <Time at={expires_at} />
        <span class="small block">
          <Time at={expires_at} as="distance" />
        </span>
      </>
    ),
  },
  { head: 'Invited by', cell: ({ invited_by }) => invited_by ?? 'Operator' },
  {
    head: 'Actions',
    kind: 'actions',
    cell: (invitation) =>
      mayManage(invitation.role) && (
        <Button kind="removal" about={invitation.email} onClick={() => open({ is: 'cancel', invitation })}>
          Cancel
        </Button>
      ),
  },
];

// The dialogs.

interface DialogProps {
  readonly onDone: (message: string) => void;
  readonly onClose: () => void;
}

function TeamDialog({ dialog, ...props }: DialogProps & { readonly dialog: OpenDialog }) {
  if (dialog.is === 'invite') return <InviteDialog {...props} />;
  if (dialog.is === 'change') return <ChangeDialog member={dialog.member} {...props} />;
  if (dialog.is === 'remove') return <RemoveDialog member={dialog.member} {...props} />;
  return <CancelDialog invitation={dialog.invitation} {...props} />;
}

function InviteDialog({ onDone, onClose }: DialogProps) {
  const form = useForm<InviteBody>(FORMS.invite, { email: '', role: 'developer' });
  const body = form.values.value;
  const invite = async () => {
    const result = await form.submit(() => send<InvitationView>('POST', '/invitations', body));
    if (result?.ok) onDone(`An invitation was sent to ${result.data.email}.`);
  };
  return (
    <Dialog title="Invite a member" onClose={onClose}>
      <Form form={form} action="Send the invitation" onSubmit={invite} onCancel={onClose}>
        <p class="before-fields">They receive an email with a link. It works once, within 7 days.</p>
        <TextField
          name="email"
          type="email"
          label="Email address"
          value={body.email}
          error={form.errorOf('email')}
          onInput={(email) => form.set('email', email)}
        />
        <RoleField
          value={body.role}
          error={form.errorOf('role')}
          onChange={(value) => form.set('role', value)}
        />
        <SignInHint />
      </Form>
    </Dialog>
  );
}

interface RoleFieldProps {
  readonly value: Role;
  readonly error: string | undefined;
  readonly onChange: (value: Role) => void;
}

function RoleField(props: RoleFieldProps) {
  const choices = ROLES.filter(mayManage).map((value) => ({
    value,
    label: roleNames[value],
    hint: ROLE_HINTS[value],
  }));
  return <RadioField legend="Role" name="role" choices={choices} {...props} />;
}

function ChangeDialog({ member, onDone, onClose }: DialogProps & { readonly member: MemberView }) {
  const form = useForm(FORMS.change, { id: member.id, role: member.role });
  const change = async () => {
    const body: ChangeMemberBody = { role: form.values.value.role };
    const result = await form.submit(() =>
      send<MemberView>('PUT', `/members/${encodeURIComponent(member.id)}`, body),
    );
    if (!result?.ok) return;
    // The pages that the person may see have also changed.
    if (member.is_you) await loadSession();
    onDone(`The role of ${member.name} is now ${roleNames[result.data.role]}.`);
  };
  return (
    <Dialog title={`Change the role of ${member.name}`} onClose={onClose}>
      <Form form={form} action="Save the role" onSubmit={change} onCancel={onClose}>
        <RoleField
          value={form.values.value.role}
          error={form.errorOf('role')}
          onChange={(value) => form.set('role', value)}
        />
        <SignInHint />
      </Form>
    </Dialog>
  );
}

function RemoveDialog({ member, onDone, onClose }: DialogProps & { readonly member: MemberView }) {
  const { id, name, is_you } = member;
  return (
    <ConfirmDialog
      name={FORMS.remove}
      subject={{ id }}
      title={is_you ? 'Leave the organisation?' : `Remove ${name}?`}
      action={is_you ? 'Leave' : 'Remove'}
      needsRecentSignIn
      run={() => send('POST', `/members/${encodeURIComponent(id)}/remove`, {})}
      onDone={() => (is_you ? location.assign('/') : onDone(`${name} was removed.`))}
      onClose={onClose}
    >
      <p>
        {is_you
          ? 'You lose access at once. You need a new invitation to return.'
          : 'They lose access at once. API keys that they created keep working: revoke those that they know.'}
      </p>
    </ConfirmDialog>
  );
}

function CancelDialog({
  invitation,
  onDone,
  onClose,
}: DialogProps & { readonly invitation: InvitationView }) {
  const { id, email } = invitation;
  return (
    <ConfirmDialog
      name={FORMS.cancel}
      subject={{ id }}
      title={`Cancel the invitation for ${email}?`}
      action="Cancel the invitation"
      needsRecentSignIn
      run={() => send('POST', `/invitations/${encodeURIComponent(id)}/cancel`, {})}
      onDone={() => onDone(`The invitation for ${email} was cancelled.`)}
      onClose={onClose}
    >
      <p>The link in the email stops working.</p>
    </ConfirmDialog>
  );
}
