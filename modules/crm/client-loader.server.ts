import { excerpt } from '#app/lib/markup.ts'
import { clockOf, dayOf } from '#app/lib/time.ts'
import { firstZones, otherZones } from '#app/lib/timezones.ts'
import { fill } from '#modules/core/slots.ts'
import { withWidgets } from '#modules/core/slot.tsx'
import type { Ctx } from '#tenants/context.ts'
import { dialogOf } from './interactions-loader.server.ts'
import { clientOnScreen } from './queries/clients.ts'
import { recentContact, recentRows } from './queries/interactions.ts'
import type { ClientPlace } from './slots.ts'
import { timelineOf } from './timeline-loader.server.ts'

/** All that a client's page shows, as its address asks for it. Throws not_found. */
export async function clientPage(ctx: Ctx, id: number, searchParams: URLSearchParams) {
  const editing = searchParams.has('edit')
  const [shown, contacts, cards, places, timeline, dialog, dialogs] = await Promise.all([
    clientOnScreen(ctx, id),
    recentContact(ctx, id),
    fill(ctx, 'client.card', { id: String(id) }).then(withWidgets),
    fill(ctx, 'client.menu'),
    editing ? null : timelineOf(ctx, id, searchParams),
    dialogOf(ctx, id, searchParams),
    searchParams.has('dialog') && !editing
      ? fill(ctx, 'client.dialog', { ...Object.fromEntries(searchParams), id: String(id) })
      : [],
  ])
  const {
    coachId: _coach,
    convertedAt: _at,
    convertedFromProspectId: _from,
    createdAt,
    updatedAt,
    archivedAt,
    ...client
  } = shown
  const offered = places.flatMap(({ data }) => data as ClientPlace[])
  const zone = ctx.account.timezone
  return {
    client,
    cards,
    dialogs: await withWidgets(dialogs.filter(({ data }) => data)),
    timeline,
    contacts: contacts.slice(0, recentRows).map(({ interactionDate, content, ...contact }) => ({
      ...contact,
      day: dayOf(interactionDate, zone),
      words: content && (excerpt(content, 160) || null),
    })),
    moreContacts: contacts.length > recentRows,
    places: offered.filter(({ on }) => on === 'menu' || on === 'page'),
    links: offered.flatMap(({ on, label, to }) =>
      on === 'card' && to ? [{ label, to: to.replace('{id}', String(id)) }] : [],
    ),
    since: dayOf(createdAt, zone),
    edited: dayOf(updatedAt, zone),
    archived: archivedAt && dayOf(archivedAt, zone),
    theirTime: client.timezone && theirTime(ctx, client.timezone),
    zones: editing || searchParams.get('dialog') === 'edit' ? otherZones(client.timezone) : [],
    mode: editing ? ('edit' as const) : ('view' as const),
    dialog: dialog ?? (editing ? null : clientDialog(searchParams.get('dialog'))),
  }
}

function theirTime(ctx: Ctx, timezone: string): string {
  return `${firstZones.find(({ value }) => value === timezone)?.label ?? timezone}, ${clockOf(ctx.now(), timezone)}`
}

function clientDialog(asked: string | null) {
  return asked === 'edit' || asked === 'delete' ? ({ kind: asked } as const) : null
}
