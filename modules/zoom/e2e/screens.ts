import type { Screen, World } from '#tests/e2e/support/screens/screen.ts'
import { inTenant } from '#tests/e2e/support/test-app.ts'

const screen = { route: '/settings/zoom', path: '/settings/zoom' }

export const screens: Screen[] = [
  { name: 'zoom', ...screen, as: 'newcomer' },
  { name: 'zoom-ended', ...screen, as: 'full' },
  { name: 'zoom-free', ...screen, as: 'limited' },
]

/** A connection that Zoom has ended: no job calls it. */
export async function world({ full, longText }: World): Promise<Partial<World>> {
  await inTenant(full, (ctx) =>
    ctx.query({
      text: `insert into zoom_connection (coach_id, user_id, email, state, last_success_at, created_at)
        values ($1, 'none', $2, 'needs_reconnect', $3, $3)`,
      values: [full.id, `${longText.slice(0, 60)}@zoom.example`, ctx.now()],
    }),
  )
  return {}
}
