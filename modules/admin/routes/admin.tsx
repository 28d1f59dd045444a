import {
  data,
  redirect,
  type AppLoadContext,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { ArrowUpCircle, Ellipsis, Trash2, UserPlus } from 'lucide-react'
import { parseId } from '#app/lib/parse-id.ts'
import { formOf, submit } from '#app/lib/form-submission.ts'
import { searchLine } from '#app/lib/search-term.ts'
import { revalidates } from '#app/lib/should-revalidate.ts'
import { Avatar } from '#app/ui/components/avatar.tsx'
import { Badge, type Tone } from '#app/ui/components/badge.tsx'
import { PrimaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { Empty, PathDrawing } from '#app/ui/components/empty-state.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { titled } from '#app/ui/components/branding.tsx'
import { Menu, type MenuEntry } from '#app/ui/components/menu.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { Pagination } from '#app/ui/components/pagination.tsx'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { Stats } from '#app/ui/components/stats.tsx'
import { Table } from '#app/ui/components/table.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { keepTyped } from '#app/ui/forms/offline-action.ts'
import { AddCoachDialog } from '../components/add-coach-dialog.tsx'
import { PlanDialog } from '../components/plan-dialog.tsx'
import { CoachId, NewCoach, NewSubscription } from '../forms.ts'
import { addCoach, changePlan, coachesOf, platformStats, removeCoach, type CoachOverview } from '../services/coaches.ts'

const rowsPerPage = 50
const planTitles = { free: 'Free', pro: 'Pro', premium: 'Premium' } as const
const planNames = ['free', 'pro', 'premium'] as const
const planTones: Record<keyof typeof planTitles, Tone> = { free: 'neutral', pro: 'info', premium: 'brand' }

export const meta: MetaFunction = ({ matches }) => titled(matches, 'Admin Console')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = context.coach()
  onlyForAdmin(context)
  const asked = new URL(request.url).searchParams
  const q = searchLine(asked.get('q') ?? '')
  const plan = planNames.find((name) => name === asked.get('plan')) ?? 'all'
  const page = parseId(asked.get('page')) || 1
  const id = parseId(asked.get('coach'))
  const [stats, coaches, [chosen = null]] = await Promise.all([
    platformStats(ctx),
    coachesOf(ctx, { q, plan: plan === 'all' ? null : plan, rows: rowsPerPage, skip: (page - 1) * rowsPerPage }),
    id ? coachesOf(ctx, { id }) : [],
  ])
  if (!coaches.length && page > 1)
    throw redirect(`/admin?${new URLSearchParams({ ...(q ? { q } : {}), ...(plan === 'all' ? {} : { plan }) })}`)
  return {
    stats,
    coaches,
    found: coaches[0]?.found ?? 0,
    q,
    plan,
    page,
    me: ctx.account.id,
    dialog: chosen || asked.get('dialog') === 'add' ? asked.get('dialog') : null,
    chosen,
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = context.coach()
  onlyForAdmin(context)
  const intent = (await formOf(request.clone())).get('intent')
  if (intent === 'add') {
    return submit(request, NewCoach, (input) => addCoach(ctx, input), {
      to: '/admin',
      toast: said('Coach Added', 'The invitation is on its way.'),
    })
  }
  if (intent === 'plan') {
    return submit(
      request,
      NewSubscription.extend(CoachId.shape),
      ({ coach, status }) => changePlan(ctx, coach, status),
      {
        to: '/admin',
        toast: (coach) =>
          said('Subscription Updated', `${nameOf(coach)} is on ${planTitles[coach.subscriptionStatus]} now.`),
      },
    )
  }
  if (intent !== 'remove') throw data(null, { status: 400 })
  return submit(request, CoachId, ({ coach }) => removeCoach(ctx, coach), {
    to: '/admin',
    toast: said('Coach Removed', 'The data is kept for 30 days, then erased.'),
  })
}

export const clientAction = keepTyped({
  add: 'Failed to add coach.',
  plan: 'Failed to change the plan.',
  remove: 'Failed to remove coach.',
})

export { revalidates as shouldRevalidate }

/** On the platform host, for the administrator: anywhere else, and for anybody else, the page isn't there. */
function onlyForAdmin({ tenant, account }: AppLoadContext): void {
  if (tenant || !account?.isAdmin) throw data(null, { status: tenant ? 404 : 403 })
}

const said = (title: string, text: string) => ({ tone: 'success', title, text }) as const

const nameOf = ({ firstName, lastName, email }: CoachOverview): string => `${firstName} ${lastName}`.trim() || email

export default function AdminConsole() {
  const { stats, coaches, found, q, plan, page, dialog, chosen } = useLoaderData<typeof loader>()
  const { subscriptionBreakdown: on } = stats
  const address = useAddress()
  return (
    <Page
      title="Admin Console"
      crumbs={[{ label: 'Dashboard', to: '/dashboard' }, { label: 'Admin Console' }]}
      actions={
        <PrimaryLink icon={UserPlus} to={address({ dialog: 'add' })} preventScrollReset>
          Add Coach
        </PrimaryLink>
      }
    >
      <Stats
        stats={[
          { label: 'Total Coaches', value: stats.totalCoaches.toLocaleString('en-US') },
          {
            label: 'Active Coaches',
            value: stats.activeCoaches.toLocaleString('en-US'),
            fact: 'signed in within 30 days',
          },
          {
            label: 'Monthly Revenue',
            value: `$${(stats.monthlyRevenue / 100).toLocaleString('en-US')}`,
            fact: `${on.pro} Pro, ${on.premium} Premium`,
          },
          { label: 'Total Clients', value: stats.totalClients.toLocaleString('en-US'), fact: 'across all coaches' },
        ]}
      />
      <div className="mb-4 mt-8 flex flex-wrap items-center gap-3">
        <FilterForm action="/admin" values={{ q }} className="w-full sm:w-80">
          <SearchField label="Search coaches" placeholder="Search by name, email or business" value={q} />
          {plan !== 'all' && <input type="hidden" name="plan" value={plan} />}
        </FilterForm>
        <Segmented
          label="Plan"
          segments={(['all', ...planNames] as const).map((name) => ({
            label: name === 'all' ? `All ${stats.totalCoaches}` : `${planTitles[name]} ${on[name]}`,
            to: address({ plan: name === 'all' ? null : name, page: null }),
            current: plan === name,
          }))}
        />
      </div>
      {coaches.length ? <Coaches /> : <NoCoaches />}
      <Pagination
        previous={page > 1 ? address({ page: page === 2 ? null : String(page - 1) }) : undefined}
        next={found > page * rowsPerPage ? address({ page: String(page + 1) }) : undefined}
      >
        Showing {coaches.length} of {found.toLocaleString('en-US')}
      </Pagination>
      {dialog === 'add' && <AddCoachDialog closeTo={address({ dialog: null })} />}
      {chosen && dialog === 'plan' && (
        <PlanDialog
          coach={{ id: chosen.id, name: nameOf(chosen), plan: chosen.subscriptionStatus, onTrial: chosen.onTrial }}
          closeTo={address({ dialog: null, coach: null })}
        />
      )}
      {chosen && dialog === 'remove' && (
        <ConfirmDialog
          title="Remove Coach"
          confirm="Remove Coach"
          busyLabel="Removing..."
          closeTo={address({ dialog: null, coach: null })}
          fields={{ intent: 'remove', coach: String(chosen.id) }}
        >
          {nameOf(chosen)} can't sign in from this moment. The practice with its {chosen.clients} clients is kept for 30
          days, then erased.
        </ConfirmDialog>
      )}
    </Page>
  )
}

function Coaches() {
  const { coaches } = useLoaderData<typeof loader>()
  return (
    <Table
      label="Coaches"
      framed
      rows={coaches}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Coach', cell: (coach) => <Person coach={coach} />, className: 'w-2/5 max-w-0' },
        { head: 'Business', cell: ({ businessName }) => businessName ?? '–', className: 'w-1/4 max-w-0 truncate' },
        { head: 'Plan', cell: (coach) => <PlanBadge coach={coach} /> },
        { head: 'Clients', right: true, cell: ({ clients }) => clients },
        { head: 'Joined', cell: ({ createdAt }) => joined(createdAt) },
        { head: 'Actions', right: true, cell: (coach) => <CoachMenu coach={coach} /> },
      ]}
      line={(coach) => (
        <div className="flex items-center gap-3 px-4 py-3">
          <div className="min-w-0 flex-1">
            <Person coach={coach} />
            <p className="mt-1.5 flex items-center gap-2 pl-11 text-sm text-ink-3">
              <PlanBadge coach={coach} /> since {joined(coach.createdAt)}
            </p>
          </div>
          <CoachMenu coach={coach} />
        </div>
      )}
    />
  )
}

function Person({ coach }: { coach: CoachOverview }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={nameOf(coach)} />
      <span className="min-w-0">
        <span className="block truncate font-semibold">{nameOf(coach)}</span>
        <span className="block truncate text-sm text-ink-3">{coach.email}</span>
      </span>
    </span>
  )
}

function PlanBadge({ coach }: { coach: CoachOverview }) {
  return (
    <Badge tone={planTones[coach.subscriptionStatus]} plain>
      {planTitles[coach.subscriptionStatus]}
      {coach.onTrial && ', trial'}
    </Badge>
  )
}

function CoachMenu({ coach }: { coach: CoachOverview }) {
  const { me } = useLoaderData<typeof loader>()
  const address = useAddress()
  const id = String(coach.id)
  const entries: MenuEntry[] = [
    {
      label: 'Upgrade Plan',
      icon: ArrowUpCircle,
      to: address({ dialog: 'plan', coach: id }),
      preventScrollReset: true,
    },
  ]
  // The administrator's own account stays: the server refuses it too.
  if (coach.id !== me) {
    entries.push('line', {
      label: 'Remove Coach',
      icon: Trash2,
      to: address({ dialog: 'remove', coach: id }),
      danger: true,
      preventScrollReset: true,
    })
  }
  return (
    <Menu label={`Actions for ${nameOf(coach)}`} entries={entries}>
      <Ellipsis className="i" />
    </Menu>
  )
}

function NoCoaches() {
  const { q } = useLoaderData<typeof loader>()
  return (
    <div className="rounded-lg border border-line">
      <Empty title="No coaches found" drawing={<PathDrawing />}>
        {q
          ? `Nobody here matches “${q}”. Try a part of the name or the email address, or another plan.`
          : 'No coach is on this plan.'}
      </Empty>
    </div>
  )
}

const joined = (iso: string): string =>
  new Date(iso).toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** This page's address with some of its parameters changed; null takes one away. */
function useAddress() {
  const [params] = useSearchParams()
  return (changes: Record<string, string | null>): string => {
    const next = new URLSearchParams(params)
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name)
      else next.set(name, value)
    }
    return `/admin${next.size ? `?${next}` : ''}`
  }
}
