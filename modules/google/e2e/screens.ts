import { dayMs } from '#app/lib/time.ts'
import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { inTenant } from '#tests/e2e/support/test-app.ts'

export const screens: Screen[] = [
  { name: 'google-calendar', route: '/settings/google-calendar', path: '/settings/google-calendar', as: 'newcomer' },
  { name: 'google-calendar-ended', route: '/settings/google-calendar', path: '/settings/google-calendar', as: 'full' },
  {
    name: 'google-calendar-free',
    route: '/settings/google-calendar',
    path: '/settings/google-calendar',
    as: 'limited',
  },
  {
    name: 'google-meet-connected',
    route: '/settings/google-calendar',
    path: '/settings/google-calendar',
    as: 'secured',
  },
]

/** A connection that Google has ended, and one with Google Meet whose next try is far away: no job calls them. */
export async function world({ full, secured, longText }: World): Promise<Partial<World>> {
  await inTenant(secured, (ctx) =>
    ctx.query({
      text: `insert into google_connection (coach_id, email, last_success_at, reads_meet, meet_reached_at, next_try_at,
          created_at)
        values ($1, $2, $3, true, $3, $4, $3)`,
      values: [
        secured.id,
        `${longText.slice(0, 60)}@gmail.com`,
        ctx.now(),
        new Date(ctx.now().getTime() + 100 * dayMs),
      ],
    }),
  )
  await inTenant(full, async (ctx) => {
    const [connection] = await ctx.query<{ id: number }>({
      text: `insert into google_connection (coach_id, email, state, last_success_at, created_at)
        values ($1, $2, 'needs_reconnect', $3, $3) returning id`,
      values: [full.id, `${longText.slice(0, 60)}@gmail.com`, ctx.now()],
    })
    for (const [name, isTarget] of [
      ['Sessions', true],
      [longText.slice(0, 255), false],
    ] as const)
      await ctx.query({
        text: `insert into google_calendar (coach_id, connection_id, calendar_id, name, timezone, can_write, blocks, is_target)
          values ($1, $2, $3, $3, 'UTC', true, true, $4)`,
        values: [full.id, connection!.id, name, isTarget],
      })
  })
  return {}
}
