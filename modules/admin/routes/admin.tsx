import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { UserPlus } from 'lucide-react'
import { formatDateTime } from '#app/lib/time.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { PrimaryLink } from '#app/ui/components/button.tsx'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { PageSummary } from '#app/ui/components/pagination.tsx'
import { Segmented } from '#app/ui/components/tabs.tsx'
import { FilterForm } from '#app/ui/forms/filter-form.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { SearchField } from '#app/ui/forms/search-field.tsx'
import { removedCoachDays } from '#tenants/accounts/closing.ts'
import type { Ctx } from '#tenants/context.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { ById, formActions, success } from '#modules/core/form-actions.server.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { AddCoachDialog } from '../components/add-coach-dialog.tsx'
import { CoachDetailsDialog } from '../components/coach-details-dialog.tsx'
import { CoachesTable } from '../components/coaches-table.tsx'
import { PlanDialog } from '../components/plan-dialog.tsx'
import { coachStateNames, coachStates, planNames, planTitles } from '../fields.ts'
import { formatErasure, formatName } from '../format.ts'
import { NewCoach, SubscriptionForm } from '../forms.ts'
import { adminUrl, jobsUrl, pageSize, toCoachModulesPath, type AdminState } from '../list-state.ts'
import type { PlatformStats } from '../output.ts'
import { hasDeliveries } from '../queries/deliveries.ts'
import { findCoach, findRemovedCoach, listCoaches } from '../queries/coaches.ts'
import { getPlatformStats } from '../queries/stats.ts'
import { findSupportGrant } from '../queries/support-access.ts'
import { requireAdmin } from '../require-admin.server.ts'
import { getCoachModules, listModules } from '../services/modules.ts'
import {
  changePlan,
  createCoach,
  deleteCoach,
  resendInvitation,
  restoreCoach,
  signOutCoach,
  turnOffSecondFactor,
} from '../services/coaches.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Admin Console')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = requireAdmin(context)
  const { dialog, coach: coachId, ...state } = adminUrl.parse(request.url)
  const { q, plan, status, page } = state
  const [stats, coaches, selected] = await Promise.all([
    getPlatformStats(ctx),
    listCoaches(ctx, { q, plan, state: status, rows: pageSize, skip: (page - 1) * pageSize }),
    coachId ? (dialog === 'restore' ? findRemovedCoach(ctx, coachId) : findCoach(ctx, coachId)) : null,
  ])
  if (!coaches.length && page > 1) throw redirect(adminUrl.href(state, { page: 1 }))
  const { facts, isOpenToSupport } =
    dialog === 'details' && selected ? await loadDetails(ctx, selected.id) : { facts: {}, isOpenToSupport: false }
  return {
    stats,
    coaches,
    total: coaches[0]?.total ?? 0,
    state,
    ownId: ctx.account.id,
    dialog,
    selected,
    facts,
    isOpenToSupport,
    hasDeliveries: hasDeliveries(ctx),
    removedDays: removedCoachDays,
  }
}

/** `facts`: more about a coach, by label. `isOpenToSupport`: the coach lets this administrator in. */
async function loadDetails(ctx: Ctx, id: number): Promise<{ facts: Record<string, string>; isOpenToSupport: boolean }> {
  const [parts, { allOff }, grant] = await Promise.all([
    fillSlot(ctx, 'admin.coach', { id: String(id) }),
    getCoachModules(ctx, id),
    findSupportGrant(ctx, id),
  ])
  const off = listModules(ctx).filter((module) => allOff.includes(module.id))
  const facts = {
    'Modules off': off.map(({ title }) => title).join(', ') || 'None',
    'Support access': grant ? `Until ${formatDateTime(grant.expiresAt, ctx.account)}: ${grant.reason}` : 'Not allowed',
  }
  return {
    facts: Object.assign(facts, ...parts.map(({ data }) => data)),
    isOpenToSupport: grant !== null && id !== ctx.coachId,
  }
}

const messages = {
  add: { done: { title: 'Coach Added', text: "We've emailed an invitation." }, failed: 'Failed to add coach.' },
  invite: {
    done: { title: 'Invitation Sent', text: "We've emailed another invitation." },
    failed: 'Failed to send the invitation.',
  },
  restore: { done: { title: 'Coach Restored' }, failed: 'Failed to restore the coach.' },
  plan: { done: { title: 'Subscription Updated' }, failed: 'Failed to change the plan.' },
  'sign-out': {
    done: { title: 'Coach Signed Out', text: 'All their devices have to sign in again.' },
    failed: 'Failed to sign the coach out.',
  },
  'second-factor': {
    done: { title: 'Two-Step Sign-In Turned Off', text: "We've emailed the coach." },
    failed: 'Failed to turn off two-step sign-in.',
  },
  remove: {
    done: { title: 'Coach Removed', text: 'You can take them back for 30 days.' },
    failed: 'Failed to remove coach.',
  },
}

export const action = formActions(
  messages,
  {
    add: { schema: NewCoach, run: createCoach, to: () => adminUrl.href() },
    plan: {
      schema: SubscriptionForm,
      run: async (ctx, { id, status, seen }) => {
        const coach = await changePlan(ctx, id, status, seen)
        return success({ toast: { text: `${formatName(coach)} is now on ${planTitles[status]}.` } })
      },
      // Open again, with the plan of the other administrator.
      onError: ({ code }, { page }) => (code === 'conflict' ? { to: page } : undefined),
    },
    invite: { schema: ById, run: (ctx, { id }) => resendInvitation(ctx, id) },
    restore: {
      schema: ById,
      run: async (ctx, { id }) => {
        const coach = await restoreCoach(ctx, id)
        return success({ toast: { text: `${formatName(coach)} can sign in again.` } })
      },
    },
    'sign-out': { schema: ById, run: (ctx, { id }) => signOutCoach(ctx, id) },
    'second-factor': { schema: ById, run: (ctx, { id }) => turnOffSecondFactor(ctx, id) },
    remove: { schema: ById, run: (ctx, { id }) => deleteCoach(ctx, id) },
  },
  { home: adminUrl.href(), dialog: ['dialog', 'coach'], authorize: requireAdmin },
)

export const clientAction = formClientAction(messages)

export default function AdminConsole() {
  const { stats, coaches, total, state, ownId } = useLoaderData<typeof loader>()
  return (
    <AdminPage
      tab="Coaches Management"
      stats={stats}
      actions={
        <PrimaryLink icon={UserPlus} to={adminUrl.href(state, { dialog: 'add' })} preventScrollReset>
          Add Coach
        </PrimaryLink>
      }
    >
      <CoachFilters state={state} stats={stats} />
      {coaches.length ? (
        <CoachesTable
          coaches={coaches}
          ownId={ownId}
          dialogHref={(dialog, coach) => adminUrl.href(state, { dialog, coach })}
        />
      ) : (
        <div className="card">
          <EmptyState title="No coaches found">
            {state.q
              ? `No coaches match “${state.q}”. Try part of a name or email, or other filters.`
              : 'No coaches match these filters.'}
          </EmptyState>
        </div>
      )}
      <PageSummary
        page={state.page}
        size={pageSize}
        rows={coaches.length}
        count={total}
        to={(page) => adminUrl.href(state, { page })}
      />
      <AdminDialog />
    </AdminPage>
  )
}

type ListState = Pick<AdminState, 'q' | 'plan' | 'status' | 'page'>

function CoachFilters({ state, stats }: { state: ListState; stats: PlatformStats }) {
  const { q, plan, status } = state
  const segments = [
    { label: `All ${stats.totalCoaches}`, name: null },
    ...planNames.map((name) => ({ label: `${planTitles[name]} ${stats.subscriptionBreakdown[name]}`, name })),
  ]
  return (
    <div className="my-4 flex flex-wrap items-center gap-3">
      <FilterForm
        action="/admin"
        values={{ q, status: status ?? '' }}
        className="flex w-full flex-wrap items-center gap-2 sm:w-auto"
      >
        <SearchField
          label="Search coaches"
          placeholder="Search by name, email or business"
          value={q}
          className="flex-1 basis-48 sm:w-80"
        />
        <select
          name="status"
          aria-label="Status"
          defaultValue={status ?? ''}
          className="input select input-quiet !w-auto"
        >
          <option value="">All coaches</option>
          {coachStateNames.map((name) => (
            <option key={name} value={name}>
              {coachStates[name]}
            </option>
          ))}
        </select>
        {plan && <input type="hidden" name="plan" value={plan} />}
        <noscript>
          <button type="submit" className="btn btn-secondary">
            Filter
          </button>
        </noscript>
      </FilterForm>
      <Segmented
        label="Plan"
        segments={segments.map(({ label, name }) => ({
          label,
          to: adminUrl.href(state, { plan: name, page: 1 }),
          current: plan === name,
        }))}
      />
    </div>
  )
}

function AdminDialog() {
  const data = useLoaderData<typeof loader>()
  const { state, dialog, selected: coach, facts, isOpenToSupport, removedDays } = data
  const closeTo = adminUrl.href(state)
  if (!dialog) return null
  if (dialog === 'add') return <AddCoachDialog closeTo={closeTo} />
  if (!coach) return null
  if (dialog === 'details') {
    const planHref = adminUrl.href(state, { dialog: 'plan', coach: coach.id })
    return (
      <CoachDetailsDialog
        coach={coach}
        facts={facts}
        isOpenToSupport={isOpenToSupport}
        planHref={planHref}
        modulesHref={toCoachModulesPath(coach.id)}
        deliveriesHref={data.hasDeliveries ? jobsUrl.href({ kind: 'delivery', q: coach.email }) : null}
        closeTo={closeTo}
      />
    )
  }
  const name = formatName(coach)
  if (dialog === 'plan') {
    const { id, subscriptionStatus: plan, onTrial } = coach
    return <PlanDialog coach={{ id, name, plan, onTrial }} closeTo={closeTo} />
  }
  if (dialog === 'invite')
    return (
      <ConfirmDialog
        title="Resend Invitation"
        confirm="Send Invitation"
        busyLabel="Sending..."
        closeTo={closeTo}
        fields={{ intent: 'invite', id: String(coach.id) }}
      >
        We email {coach.email} a new link to choose a password. It works once, for seven days.
      </ConfirmDialog>
    )
  if (dialog === 'restore')
    return (
      <ConfirmDialog
        title="Restore Coach"
        confirm="Restore Coach"
        busyLabel="Restoring..."
        closeTo={closeTo}
        fields={{ intent: 'restore', id: String(coach.id) }}
      >
        {name} gets the practice back as it was, and an email about it. Otherwise everything is erased on{' '}
        {formatErasure(coach.removedAt!, removedDays)}.
      </ConfirmDialog>
    )
  if (dialog === 'sign-out')
    return (
      <ConfirmDialog
        title="Sign Out Coach"
        confirm="Sign Out"
        busyLabel="Signing out..."
        closeTo={closeTo}
        fields={{ intent: 'sign-out', id: String(coach.id) }}
      >
        {name} is signed out of all devices, their API keys are revoked, and they get an email about it. They can sign
        in again.
      </ConfirmDialog>
    )
  if (dialog === 'second-factor')
    return (
      <ConfirmDialog
        title="Turn Off Two-Step Sign-In"
        confirm="Turn Off"
        busyLabel="Turning off..."
        closeTo={closeTo}
        fields={{ intent: 'second-factor', id: String(coach.id) }}
      >
        Do this only if {name} has lost both the authenticator app and the recovery codes. Make sure first that the
        request really comes from them. They then sign in with the password alone, and get an email about it.
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      title="Remove Coach"
      confirm="Remove Coach"
      busyLabel="Removing..."
      closeTo={closeTo}
      fields={{ intent: 'remove', id: String(coach.id) }}
    >
      {name} loses access immediately. You can take them back for {removedDays} days; then their practice is erased.
    </ConfirmDialog>
  )
}
