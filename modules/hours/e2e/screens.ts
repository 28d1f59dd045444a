import { inTenant } from '#tests/e2e/support/test-app.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { NewEntry } from '../forms.ts'
import { createEntry } from '../services/entries.ts'

declare module '#tests/e2e/support/screens/screen.ts' {
  interface World {
    /** Has long texts. */
    hoursEntry: number
  }
}

export const screens: Screen[] = [
  { name: 'hours', route: '/hours', path: '/hours', as: 'full' },
  { name: 'hours-empty', route: '/hours', path: '/hours', as: 'newcomer' },
  { name: 'hours-period', route: '/hours', path: '/hours?from=2020-01-01&to=2020-12-31', as: 'full' },
  { name: 'hours-add', route: '/hours', path: '/hours?dialog=add', as: 'newcomer' },
  {
    name: 'hours-edit',
    route: '/hours',
    path: ({ hoursEntry: id }) => `/hours?dialog=edit&entry=${id}`,
    as: 'full',
  },
  {
    name: 'hours-history',
    route: '/history/hours_entry/:id',
    path: ({ hoursEntry: id }) => `/history/hours_entry/${id}`,
    as: 'full',
  },
]

/** Creates the records that the screens show. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  const text = longText.slice(0, 255)
  const days = { startDate: '2024-01-10', endDate: '2024-12-10' }
  const group = { clientName: text, contact: text, format: 'group', participants: 12, ...days, paidMinutes: 6090 }
  const { id } = await inTenant(full, (ctx) => createEntry(ctx, NewEntry.parse({ ...group, proBonoMinutes: 45 })))
  return { hoursEntry: id }
}
