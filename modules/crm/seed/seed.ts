import { dateOf, noonOf } from '#app/lib/time.ts'
import type { DemoPractice } from '#modules/core/manifest.ts'
import { demoMoment } from '#modules/core/demo-dates.ts'
import type { Ctx } from '#tenants/context.ts'
import { NewClient, NewInteraction } from '../forms.ts'
import { addClient, editClient } from '../services/clients.ts'
import { addInteraction } from '../services/interactions.ts'
import { contactsWith } from './contacts.ts'
import { northStar, stillwater, type Person } from './people.ts'
import { wordsOf } from './texts.ts'

/** Fills the demo practice as its coach would have: each client added on their own day, brought to where they are now. Nothing where they are already. */
export async function seed(ctx: Ctx, { which, now }: DemoPractice): Promise<void> {
  const people = which === 'first' ? stillwater : northStar
  const known = await ctx.rows({
    name: 'crm.seeded',
    text: 'select from client where email = any($1) limit 1',
    values: [people.map(({ email }) => email)],
  })
  if (known.length) return
  await ctx.write(async (tx) => {
    for (const person of people) {
      const { days, status, progress, notes, futureGoals, frustrations, fears, failures, ...first } = {
        ...wordsAbout(person),
        ...person,
      }
      const on = (daysAgo: number, what: string) => {
        const at = demoMoment(now, daysAgo, ctx.account.timezone, `${person.name} ${what}`)
        return { ...tx, now: () => at }
      }
      const { id } = await addClient(
        on(days, ''),
        NewClient.parse({ ...first, status: status === 'completed' ? 'active' : status }),
      )
      await editClient(
        on(lastSession(person), 'edited'),
        id,
        onlySaid({ status, progress, notes, futureGoals, frustrations, fears, failures }),
      )
      for (const { daysAgo, ...contact } of contactsWith(person, lastSession(person))) {
        const then = on(daysAgo, contact.name)
        const interactionDate = noonOf(dateOf(then.now(), ctx.account.timezone), ctx.account.timezone).toISOString()
        await addInteraction(then, id, NewInteraction.parse({ ...contact, interactionDate }))
      }
      // Each flush looks at every entity that is at hand.
      tx.em.clear()
    }
  })
}

function wordsAbout({ name }: Person): Pick<Person, 'notes' | 'futureGoals' | 'frustrations' | 'fears' | 'failures'> {
  const { notes, four: [futureGoals, frustrations, fears, failures] = [] } = wordsOf[name] ?? {}
  return onlySaid({ notes, futureGoals, frustrations, fears, failures })
}

/** Days since the last change: work that is over rests, work that goes on was touched this week or last. */
function lastSession({ days, status }: Person): number {
  if (status === 'completed') return Math.floor(days / 3)
  return status === 'inactive' ? Math.floor(days / 2) : Math.min(days, days % 13)
}

function onlySaid<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}
