import { ArrowUpCircle, Ellipsis, LogOut, ShieldOff, Trash2, User } from 'lucide-react'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge, type Tone } from '#app/ui/components/badge.tsx'
import { Menu, type MenuEntry } from '#app/ui/components/menu.tsx'
import { Table } from '#app/ui/components/table.tsx'
import type { PlanName } from '#tenants/accounts/plans.ts'
import { formatJoined, formatName, formatPlan } from '../format.ts'
import type { CoachOverview } from '../output.ts'

export type CoachDialog = 'details' | 'plan' | 'sign-out' | 'second-factor' | 'remove'
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
        { head: 'Joined', cell: ({ createdAt }) => formatJoined(createdAt) },
        { head: 'Actions', alignRight: true, cell: menu },
      ]}
      renderListItem={(coach) => (
        <div className="flex items-center gap-3 px-4 py-3">
          <div className="min-w-0 flex-1">
            <CoachName coach={coach} />
            <p className="mt-1.5 flex items-center gap-2 pl-11 text-sm text-ink-3">
              <PlanBadge coach={coach} /> since {formatJoined(coach.createdAt)}
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

function CoachMenu({ coach, isOwn, dialogHref }: { coach: CoachOverview; isOwn: boolean; dialogHref: DialogHref }) {
  const link = (dialog: CoachDialog) => ({ to: dialogHref(dialog, coach.id), preventScrollReset: true })
  const entries: MenuEntry[] = [
    { label: 'View Details', icon: User, ...link('details') },
    { label: 'Upgrade Plan', icon: ArrowUpCircle, ...link('plan') },
  ]
  if (!isOwn)
    entries.push(
      { label: 'Sign Out', icon: LogOut, ...link('sign-out') },
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
