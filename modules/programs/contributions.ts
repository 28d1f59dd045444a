import { escapeMarkup } from '#app/lib/markup.ts'
import { parseId } from '#app/lib/url.ts'
import type { Contribution, QuickAction, TodayPart } from '#modules/core/manifest.ts'
import { readPreparation } from '#modules/core/slots.ts'
import type { ClientFilter, ClientLink, TimelineEntry } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import { toProgressView } from './format.ts'
import { hasRunningProgram } from './joins.ts'
import { programsUrl, programUrl } from './list-state.ts'
import { loadPortalPrograms, portalPage } from './portal.ts'
import { listItems, listTicked } from './queries/items.ts'
import { listProgramsOfClient } from './queries/programs.ts'
import { listRunningTemplates } from './queries/templates.ts'

const permission = 'programs:program:read'
const ofClient = 'client:program:write'
const cardRows = 5

const assignAction: QuickAction = { label: 'Assign Program', to: '/programs?dialog=assign', icon: 'sparkles' }
const clientLinks: ClientLink[] = [
  { label: 'Assign Program', icon: 'list-checks', to: '/programs?dialog=assign&client={id}', placement: 'card-menu' },
]

export const contributions: Contribution[] = [
  { slot: 'portal.home', widget: 'portal-program', order: 25, permission: ofClient, load: loadPortalPrograms },
  { slot: 'portal.page', order: 35, permission: ofClient, load: portalPage },
  { slot: 'session.preparation', order: 50, permission, load: loadPreparation },
  { slot: 'dashboard.action', order: 39, permission: 'programs:program:write', load: async () => assignAction },
  {
    slot: 'client.card',
    widget: 'client-programs',
    order: 4,
    permission,
    load: (ctx, { id }) => loadOfClient(ctx, id),
  },
  { slot: 'client.filter', order: 15, permission, load: async (ctx) => programFilter(ctx) },
  { slot: 'client.menu', order: 46, permission: 'programs:program:write', load: async () => clientLinks },
  {
    slot: 'client.timeline',
    order: 57,
    permission,
    load: (ctx, { id, rows = '50' }) => listTimeline(ctx, Number(id), Number(rows)),
  },
]

/** Clients with a program that runs: from one template, not completed. */
const programFilter = (ctx: Ctx): ClientFilter => ({
  name: 'program',
  label: 'Program',
  choices: () => listRunningTemplates(ctx),
  condition: (value) => {
    const id = parseId(value)
    return id ? { name: 'program', value: id, sql: hasRunningProgram } : null
  },
})

async function loadOfClient(ctx: Ctx, id: string | undefined) {
  const clientId = Number(id)
  const programs = await listWithProgress(ctx, clientId)
  return {
    assignTo: programsUrl.href({ dialog: 'assign', client: clientId }),
    programs: programs.map(({ id, name, progress }) => ({ id, name, progress })),
  }
}
export type ClientPrograms = Awaited<ReturnType<typeof loadOfClient>>

/** The progress of the programs that are running. */
async function loadPreparation(ctx: Ctx, params: Record<string, string | undefined>): Promise<TodayPart | null> {
  const programs = await listWithProgress(ctx, readPreparation(params).clientId)
  const items = programs.flatMap(({ id, name, progress: { percent, text }, completedAt }) =>
    completedAt === null
      ? [{ key: String(id), title: name, detail: `${percent}%. ${text}`, to: programUrl(id).href() }]
      : [],
  )
  return items.length ? { title: 'Programs', items, more: null } : null
}

async function listWithProgress(ctx: Ctx, clientId: number) {
  const programs = await listProgramsOfClient(ctx, clientId, cardRows)
  const { items } = await listItems(
    ctx,
    programs.map((program) => program.id),
  )
  return programs.map((program) => ({
    ...program,
    progress: toProgressView(
      ctx,
      program,
      items.filter(({ programId }) => programId === program.id),
    ),
  }))
}

/** When programs were assigned and completed, and their items ticked. */
async function listTimeline(ctx: Ctx, clientId: number, rows: number): Promise<TimelineEntry[]> {
  const [programs, ticked] = await Promise.all([
    listProgramsOfClient(ctx, clientId, rows),
    listTicked(ctx, clientId, rows),
  ])
  const toEntry = (key: string, at: string, title: string, text: string, programId: number): TimelineEntry => ({
    key,
    at,
    kind: 'program',
    title,
    text: escapeMarkup(text),
    to: programUrl(programId).href(),
  })
  const entries = [
    ...programs.flatMap(({ id, name, createdAt, completedAt }) => [
      toEntry(`program ${id}`, createdAt, 'Program assigned', name, id),
      ...(completedAt === null ? [] : [toEntry(`program ${id} completed`, completedAt, 'Program completed', name, id)]),
    ]),
    ...ticked.map(({ id, programId, title, doneAt }) =>
      toEntry(`program item ${id}`, doneAt, 'Item completed', title, programId),
    ),
  ]
  return entries.sort((a, b) => b.at.localeCompare(a.at))
}
