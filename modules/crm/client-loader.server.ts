import { excerpt } from '#app/lib/markup.ts'
import { formatTime, formatDate } from '#app/lib/time.ts'
import { commonTimezones, otherTimezones } from '#app/lib/timezones.ts'
import { fillSlot } from '#modules/core/slots.ts'
import { preloadWidgets } from '#modules/core/slot.tsx'
import type { Ctx } from '#tenants/context.ts'
import { getInteractionDialog } from './interactions-loader.server.ts'
import { getClientForEdit } from './queries/clients.ts'
import { listRecentInteractions, recentLimit } from './queries/interactions.ts'
import { isReadOnly } from './services/plan-limit.ts'
import type { ClientLink, ClientNextSession } from './slots.ts'
import { loadTimeline } from './timeline-loader.server.ts'

/** The data of a client's page for its URL. Throws not_found. */
export async function loadClientPage(ctx: Ctx, id: number, searchParams: URLSearchParams) {
  const editing = searchParams.has('edit')
  const [record, interactions, cards, linkResults, next, timeline, dialog, contributedDialogs] = await Promise.all([
    getClientForEdit(ctx, id),
    listRecentInteractions(ctx, id),
    fillSlot(ctx, 'client.card', { id: String(id) }).then(preloadWidgets),
    fillSlot(ctx, 'client.menu'),
    editing ? [] : fillSlot(ctx, 'client.next', { id: String(id) }),
    editing ? null : loadTimeline(ctx, id, searchParams),
    getInteractionDialog(ctx, id, searchParams),
    searchParams.has('dialog') && !editing
      ? fillSlot(ctx, 'client.dialog', { ...Object.fromEntries(searchParams), id: String(id) })
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
  } = record
  const readOnly = await isReadOnly(ctx, record)
  const links = linkResults.flatMap(({ data }) => data as ClientLink[])
  const zone = ctx.account.timezone
  return {
    client,
    cards,
    nextSessions: next.map(({ data }) => data as ClientNextSession | null),
    contributedDialogs: await preloadWidgets(contributedDialogs.filter(({ data }) => data)),
    timeline,
    recentInteractions: interactions.slice(0, recentLimit).map(({ interactionDate, content, ...interaction }) => ({
      ...interaction,
      day: formatDate(interactionDate, zone),
      excerpt: content && (excerpt(content, 160) || null),
    })),
    hasMoreInteractions: interactions.length > recentLimit,
    pageLinks: readOnly ? [] : links.filter(({ placement }) => placement === 'menu' || placement === 'page'),
    cardLinks: links.flatMap(({ placement, label, to }) =>
      (placement === 'card' || (placement === 'menu-and-details' && !readOnly)) && to
        ? [{ label, to: to.replace('{id}', String(id)) }]
        : [],
    ),
    clientSince: formatDate(createdAt, zone),
    lastEdited: formatDate(updatedAt, zone),
    archivedOn: archivedAt && formatDate(archivedAt, zone),
    isReadOnly: readOnly,
    localTime: client.timezone && formatLocalTime(ctx, client.timezone),
    timezones: editing || searchParams.get('dialog') === 'edit' ? otherTimezones(client.timezone) : [],
    mode: editing ? ('edit' as const) : ('view' as const),
    dialog: dialog ?? (editing ? null : parseClientDialog(searchParams.get('dialog'))),
  }
}

function formatLocalTime(ctx: Ctx, timezone: string): string {
  const label = commonTimezones.find(({ value }) => value === timezone)?.label ?? timezone
  return `${label}, ${formatTime(ctx.now(), { ...ctx.account, timezone })}`
}

function parseClientDialog(dialog: string | null) {
  return dialog === 'edit' || dialog === 'delete' ? ({ kind: dialog } as const) : null
}
