import { ArrowUpCircle, Ellipsis, LogOut, Mail, ShieldOff, Trash2, Undo2, User } from 'lucide-react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge, type Tone } from '#app/ui/components/badge.tsx'
import { Menu, type MenuEntry } from '#app/ui/components/menu.tsx'
import { Table } from '#app/ui/components/table.tsx'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { formatJoined, formatName, formatPlan } from '../format.ts'
import type { CoachOverview } from '../output.ts'

export type CoachDialog = 'details' | 'invite' | 'plan' | 'sign-out' | 'second-factor' | 'remove' | 'restore'
type DialogHref = (dialog: CoachDialog, coachId: number) => string

/** `ownId`: the administrator's account, which can't be changed here. */
export function CoachesTable({
  coaches,
  ownId,
  dialogHref,
}: {
  coaches: CoachOverview[]
  ownId: number
  dialogHref: DialogHref
}) {
  const menu = (coach: CoachOverview) => <CoachMenu coach={coach} isOwn={coach.id === ownId} dialogHref={dialogHref} />
  return (
    <Table
      label="Coaches"
      bordered
      rows={coaches}
      getKey={({ id }) => id}
      columns={[
        { head: 'Coach', cell: (coach) => <CoachName coach={coach} />, className: 'w-2/5 max-w-0' },
        { head: 'Business', cell: ({ businessName }) => businessName ?? '–', className: 'w-1/4 max-w-0 truncate' },
        { head: 'Plan', cell: (coach) => <PlanBadge coach={coach} /> },
        { head: 'Clients', alignRight: true, cell: ({ clients }) => clients },
        { head: 'Joined', cell: (coach) => <Joined coach={coach} /> },
        { head: 'Actions', alignRight: true, cell: menu },
      ]}
      renderListItem={(coach) => (
        <div className="flex items-center gap-3 px-4 py-3">
          <div className="min-w-0 flex-1">
            <CoachName coach={coach} />
            <p className="mt-1.5 flex flex-wrap items-center gap-2 pl-11 text-sm text-ink-3">
              <PlanBadge coach={coach} /> since <Joined coach={coach} />
            </p>
          </div>
          {menu(coach)}
        </div>
      )}
    />
  )
}

function CoachName({ coach }: { coach: CoachOverview }) {
  const name = formatName(coach)
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={name} />
      <span className="min-w-0">
        <span className="block truncate font-semibold">{name}</span>
        <span className="block truncate text-sm text-ink-3">{coach.email}</span>
      </span>
    </span>
  )
}

const planTones: Record<PlanName, Tone> = { free: 'neutral', pro: 'info', premium: 'brand' }

function PlanBadge({ coach }: { coach: CoachOverview }) {
  return (
    <Badge tone={planTones[coach.subscriptionStatus]} plain>
      {formatPlan(coach)}
    </Badge>
  )
}

/** With the state that needs the administrator's attention. */
function Joined({ coach: { createdAt, invited, paymentFailed, removedAt } }: { coach: CoachOverview }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      {formatJoined(createdAt)}
      {removedAt ? (
        <Badge tone="danger">Removed</Badge>
      ) : invited ? (
        <Badge tone="warning">Invited</Badge>
      ) : paymentFailed ? (
        <Badge tone="danger">Payment failed</Badge>
      ) : null}
    </span>
  )
}

function CoachMenu({ coach, isOwn, dialogHref }: { coach: CoachOverview; isOwn: boolean; dialogHref: DialogHref }) {
  const link = (dialog: CoachDialog) => ({ to: dialogHref(dialog, coach.id), preventScrollReset: true })
  const entries: MenuEntry[] = coach.removedAt
    ? [{ label: 'Restore Coach', icon: Undo2, ...link('restore') }]
    : [
        { label: 'View Details', icon: User, ...link('details') },
        { label: 'Upgrade Plan', icon: ArrowUpCircle, ...link('plan') },
        ...(coach.invited ? [{ label: 'Resend Invitation', icon: Mail, ...link('invite') }] : []),
      ]
  if (!isOwn && !coach.removedAt)
    entries.push(
      ...(coach.invited ? [] : [{ label: 'Sign Out', icon: LogOut, ...link('sign-out') }]),
      ...(coach.twoStep ? [{ label: 'Turn Off Two-Step Sign-In', icon: ShieldOff, ...link('second-factor') }] : []),
      'separator',
      { label: 'Remove Coach', icon: Trash2, danger: true, ...link('remove') },
    )
  return (
    <Menu label={`Actions for ${formatName(coach)}`} entries={entries}>
      <Ellipsis className="i" />
    </Menu>
  )
}
