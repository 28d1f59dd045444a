import type { Contribution, ShellBar } from '#modules/core/manifest.ts'
import { formatDateTime } from '#app/lib/time.ts'
import type { Ctx } from '#tenants/context.ts'
import { dismissPath } from './list-state.ts'
import { listCurrentAnnouncements } from './queries/announcements.ts'
import { isCurrent, listSupportGrants } from './queries/support-access.ts'

export const contributions: Contribution[] = [
  { slot: 'shell.bar', order: 10, permission: 'admin:announcement:read', load: listBars },
  {
    slot: 'settings.pane',
    widget: 'support-access',
    order: 95,
    permission: 'admin:support-access:read',
    load: loadSupportCard,
  },
]

/** `until`: null while support may not read the practice. */
export type SupportCard = { until: string | null }

async function loadSupportCard(ctx: Ctx): Promise<SupportCard> {
  const [latest] = await listSupportGrants(ctx, 1)
  return { until: latest && isCurrent(latest, ctx.now()) ? formatDateTime(latest.expiresAt, ctx.account) : null }
}

async function listBars(ctx: Ctx): Promise<ShellBar[]> {
  const announcements = await listCurrentAnnouncements(ctx)
  return announcements.map(({ id, title, body }) => ({
    title,
    text: body,
    action: dismissPath,
    fields: { id: String(id) },
  }))
}
