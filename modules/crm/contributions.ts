import { formatMoney } from '#app/lib/money.ts'
import { formatRelative, monthStart } from '#app/lib/time.ts'
import type { Contribution, OnboardingStep, QuickAction } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { loadFiltersDialog } from './filters-loader.server.ts'
import { listActivities } from './queries/activities.ts'
import { listClients } from './queries/clients.ts'
import { countClients } from './queries/counts.ts'
import { listTimelineEntries } from './queries/timeline.ts'

const permission = 'crm:client:read'

export const contributions: Contribution[] = [
  { slot: 'dashboard.stat', widget: 'total-clients', order: 10, permission, load: totalClients },
  { slot: 'dashboard.main', widget: 'recent-clients', order: 20, permission, load: recentClients },
  { slot: 'dashboard.side', widget: 'recent-activity', order: 20, permission, load: recentActivity },
  { slot: 'client.dialog', widget: 'filters-dialog', order: 5, permission, load: loadFiltersDialog },
  { slot: 'dashboard.step', order: 10, permission: 'crm:client:write', load: onboardingStep },
  {
    slot: 'client.timeline',
    order: 10,
    permission: 'crm:interaction:read',
    load: (ctx, { id, rows = '50' }) => listTimelineEntries(ctx, Number(id), Number(rows)),
  },
  {
    slot: 'dashboard.action',
    order: 50,
    permission: 'crm:client:write',
    load: async (): Promise<QuickAction> => ({ label: 'Add Client', to: '/clients?dialog=add', icon: 'user-plus' }),
  },
]

async function totalClients(ctx: Ctx) {
  const [row] = await ctx.query<{ total: number; added: number }>({
    name: 'crm.total-clients',
    text: `select count(*) as total, count(*) filter (where created_at >= $2) as added
      from client where coach_id = $1 and deleted_at is null and archived_at is null`,
    values: [ctx.coachId, monthStart(ctx.now(), ctx.account.timezone)],
  })
  return { ...row!, limit: plans[ctx.plan].maxClients }
}
export type TotalClients = Awaited<ReturnType<typeof totalClients>>

async function onboardingStep(ctx: Ctx): Promise<OnboardingStep> {
  // Archived and deleted clients count too.
  const [row] = await ctx.query<{ done: boolean }>({
    name: 'crm.has-had-client',
    text: 'select exists (select 1 from client where coach_id = $1) as done',
    values: [ctx.coachId],
  })
  return {
    title: 'Add your first client',
    text: 'A name and an email are all you need.',
    ...row!,
    to: '/clients?dialog=add',
    buttonLabel: 'Add Client',
    endsOnboarding: true,
  }
}

const recentLimit = 5

async function recentClients(ctx: Ctx) {
  const [clients, total] = await Promise.all([listClients(ctx, { rows: recentLimit, after: null }), countClients(ctx)])
  return {
    total,
    clients: clients.map(({ id, name, email, program, progress, status, totalSpent }) => ({
      id,
      name,
      email,
      program,
      progress,
      status,
      spent: formatMoney(totalSpent, ctx.account.currency),
    })),
  }
}
export type RecentClients = Awaited<ReturnType<typeof recentClients>>

async function recentActivity(ctx: Ctx) {
  const activities = await listActivities(ctx, { rows: 6 })
  const now = ctx.now()
  return activities.map(({ id, type, title, description, clientId, createdAt }) => ({
    id,
    type,
    title,
    description,
    clientId,
    when: formatRelative(createdAt, now),
  }))
}
export type RecentActivity = Awaited<ReturnType<typeof recentActivity>>
