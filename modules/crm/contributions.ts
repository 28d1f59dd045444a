import { formatCents } from '#app/lib/money.ts'
import { ago, monthStart } from '#app/lib/time.ts'
import type { Contribution, FirstStep } from '#modules/core/manifest.ts'
import type { Ctx } from '#tenants/context.ts'
import { plans } from '#tenants/accounts/plans.ts'
import { activitiesNewestFirst } from './queries/activities.ts'
import { clientsNewestFirst } from './queries/clients.ts'
import { countClients } from './queries/counts.ts'
import { timelineEntries } from './queries/timeline.ts'

const permission = 'crm:client:read'

/** What crm shows on the dashboard, and tells of a client. */
export const contributions: Contribution[] = [
  { slot: 'dashboard.stat', widget: 'total-clients', order: 10, permission, load: totalClients },
  { slot: 'dashboard.main', widget: 'recent-clients', order: 20, permission, load: recentClients },
  { slot: 'dashboard.side', widget: 'recent-activity', order: 20, permission, load: recentActivity },
  { slot: 'dashboard.step', order: 10, permission: 'crm:client:write', load: firstClient },
  {
    slot: 'client.timeline',
    order: 10,
    permission: 'crm:interaction:read',
    load: (ctx, { id, rows = '50' }) => timelineEntries(ctx, Number(id), Number(rows)),
  },
  { slot: 'dashboard.action', widget: 'add-client', order: 50, permission: 'crm:client:write', load: async () => null },
]

async function totalClients(ctx: Ctx) {
  const [row] = await ctx.rows<{ total: number; added: number }>({
    name: 'crm.total-clients',
    text: `select count(*) as total, count(*) filter (where created_at >= $1) as added
      from client where deleted_at is null and archived_at is null`,
    values: [monthStart(ctx.now(), ctx.account.timezone)],
  })
  return { ...row!, limit: plans[ctx.plan].clients }
}
export type TotalClients = Awaited<ReturnType<typeof totalClients>>

async function firstClient(ctx: Ctx): Promise<FirstStep> {
  const [had] = await ctx.rows<{ done: boolean }>({
    name: 'crm.had-client',
    text: 'select exists (select from client) as done',
  })
  return {
    title: 'Add your first client',
    text: 'A name and an email are enough to begin.',
    ...had!,
    to: '/clients?dialog=add',
    call: 'Add Client',
    decides: true,
  }
}

const recent = 5

async function recentClients(ctx: Ctx) {
  const [clients, total] = await Promise.all([
    clientsNewestFirst(ctx, { rows: recent, after: null }),
    countClients(ctx),
  ])
  return {
    total,
    clients: clients.map(({ id, name, email, program, progress, status, totalSpent }) => ({
      id,
      name,
      email,
      program,
      progress,
      status,
      spent: formatCents(totalSpent),
    })),
  }
}
export type RecentClients = Awaited<ReturnType<typeof recentClients>>

async function recentActivity(ctx: Ctx) {
  const activities = await activitiesNewestFirst(ctx, { rows: 6 })
  const now = ctx.now()
  return activities.map(({ id, type, title, description, clientId, createdAt }) => ({
    id,
    type,
    title,
    description,
    clientId,
    when: ago(createdAt, now),
  }))
}
export type RecentActivity = Awaited<ReturnType<typeof recentActivity>>
