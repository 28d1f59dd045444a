import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { inTenant } from '#tests/e2e/support/test-app.ts'

const screen = { route: '/settings/zoom', path: '/settings/zoom' }

export const screens: Screen[] = [
  { name: 'zoom', ...screen, as: 'newcomer' },
  { name: 'zoom-ended', ...screen, as: 'full' },
  { name: 'zoom-connected', ...screen, as: 'unverified' },
  { name: 'zoom-free', ...screen, as: 'limited' },
]

/** A connection that Zoom has ended, and one that works: no job calls them. */
export async function world({ full, unverified, longText }: World): Promise<Partial<World>> {
  for (const [coach, state] of [
    [full, 'needs_reconnect'],
    [unverified, 'connected'],
  ] as const)
    await inTenant(coach, (ctx) =>
      ctx.query({
        text: `insert into zoom_connection (coach_id, user_id, email, state, last_success_at, created_at)
        values ($1, $4, $2, $5, $3, $3)`,
        values: [coach.id, `${longText.slice(0, 60)}@zoom.example`, ctx.now(), `user ${coach.id}`, state],
      }),
    )
  return {}
}
