import { localDate, noonIn } from '#app/lib/time.ts'
import type { DemoPractice } from '#modules/core/manifest.ts'
import { demoMoment } from '#modules/core/demo-dates.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import { NewClient, NewInteraction } from '../forms.ts'
import { createClient, updateClient } from '../services/clients.ts'
import { createInteraction } from '../services/interactions.ts'
import { changeClients } from '../services/bulk.ts'
import { createView } from '../services/views.ts'
import { interactionsWith } from './interactions.ts'
import { northStar, stillwater, type Person } from './people.ts'
import { clientTexts } from './texts.ts'

/** Fills the demo practice: adds each client on their first day, then edits and logs as time passes. Idempotent. */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  const people = which === 'first' ? stillwater : northStar
  const existing = await ctx.query({
    name: 'crm.seeded',
    text: 'select 1 from client where coach_id = $1 and email = any($2) limit 1',
    values: [ctx.coachId, people.map(({ email }) => email)],
  })
  if (existing.length) return
  await ctx.write(async (tx) => {
    await createView(tx, { name: 'Referrals', url: '/clients?tag=referral&sort=name' })
    for (const person of people) {
      await seedClient(tx, person, (daysAgo, label) => {
        const time = demoMoment(now, daysAgo, ctx.account.timezone, `${person.name} ${label}`)
        return { ...tx, now: () => time }
      })
      // Each flush checks every loaded entity.
      tx.em.clear()
    }
    const filters = { q: '', status: 'completed', tag: '', filters: [] } as const
    await changeClients(tx, { show: 'current', filters }, { action: 'add-tag', tag: 'alumni' })
  })
}

async function seedClient(
  { account: { timezone } }: WriteCtx,
  person: Person,
  contextAt: (daysAgo: number, label: string) => WriteCtx,
): Promise<void> {
  const { days, status, progress, notes, futureGoals, frustrations, fears, failures, ...initial } = {
    ...textsAbout(person),
    ...person,
  }
  const { id } = await createClient(
    contextAt(days, ''),
    NewClient.parse({ ...initial, status: status === 'completed' ? 'active' : status }),
  )
  const lastDaysAgo = daysSinceLastSession(person)
  const edits = dropUndefined({ status, progress, notes, futureGoals, frustrations, fears, failures })
  await updateClient(contextAt(lastDaysAgo, 'edited'), id, edits)
  for (const { daysAgo, ...interaction } of interactionsWith(person, lastDaysAgo)) {
    const then = contextAt(daysAgo, interaction.name)
    const interactionDate = noonIn(localDate(then.now(), timezone), timezone).toISOString()
    await createInteraction(then, id, NewInteraction.parse({ ...interaction, interactionDate }))
  }
}

function textsAbout({ name }: Person): Pick<Person, 'notes' | 'futureGoals' | 'frustrations' | 'fears' | 'failures'> {
  const { notes, fourFs: [futureGoals, frustrations, fears, failures] = [] } = clientTexts[name] ?? {}
  return dropUndefined({ notes, futureGoals, frustrations, fears, failures })
}

/** Active clients were last seen within two weeks, others longer ago. */
function daysSinceLastSession({ days, status }: Person): number {
  if (status === 'completed') return Math.floor(days / 3)
  return status === 'inactive' ? Math.floor(days / 2) : Math.min(days, days % 13)
}

function dropUndefined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}
