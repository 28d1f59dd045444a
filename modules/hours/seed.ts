import { addDays, localDate } from '#app/lib/time.ts'
import { listClientOptions } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { NewEntry } from './forms.ts'
import { listEntries } from './queries/entries.ts'
import { setCounting } from './services/counting.ts'
import { createEntry } from './services/entries.ts'

/** Fills the demo practice, once: the hours of a former job, and two clients whose sessions are pro bono. */
export async function seed(ctx: Ctx): Promise<void> {
  if ((await listEntries(ctx, { rows: 1 })).length) return
  const day = (days: number) => addDays(localDate(ctx.now(), ctx.account.timezone), -days)
  const clients = await listClientOptions(ctx, { rows: 3 })
  await ctx.write(async (tx) => {
    for (const input of [
      {
        clientName: 'Former employer, new managers',
        contact: 'people@northwind.example',
        format: 'group',
        participants: 6,
        startDate: day(400),
        endDate: day(310),
        paidMinutes: 1080,
      },
      {
        clientName: 'Ines Duarte',
        contact: 'ines.duarte@example.com',
        startDate: day(380),
        endDate: day(240),
        proBonoMinutes: 630,
      },
    ])
      await createEntry(tx, NewEntry.parse(input))
    for (const { id: clientId } of clients.slice(1)) await setCounting(tx, { clientId, counting: 'pro_bono' })
  })
}
