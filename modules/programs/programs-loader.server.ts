import { ignoreNotFound } from '#app/lib/errors.ts'
import { formatCalendarDate, formatDay, localDate } from '#app/lib/time.ts'
import { listClientNames, listClientOptions } from '#modules/crm/index.ts'
import type { Ctx } from '#tenants/context.ts'
import type { AssignOptions } from './components/assign-dialog.tsx'
import { formatCount, toProgressView } from './format.ts'
import { programsUrl, type View } from './list-state.ts'
import { listItems } from './queries/items.ts'
import { listProgramsPage } from './queries/programs.ts'
import { getTemplate, listTemplateOptions, listTemplatesPage } from './queries/templates.ts'

/** Most clients that the form lists. Beyond that, the coach searches. */
const maxClients = 100

export async function loadPrograms(ctx: Ctx, url: string) {
  const { dialog, template, client, ...state } = programsUrl.parse(url)
  const [list, selected, options] = await Promise.all([
    state.view === 'templates' ? loadTemplates(ctx, state) : loadClients(ctx, { ...state, view: state.view as View }),
    dialog === 'delete' && template ? getTemplate(ctx, template).catch(ignoreNotFound) : null,
    dialog === 'assign' ? loadOptions(ctx, client) : null,
  ])
  return {
    state,
    dialog,
    ...list,
    chosen: { templateId: template, clientId: client, startDate: localDate(ctx.now(), ctx.account.timezone) },
    selected: selected && { id: selected.id, name: selected.name },
    options,
  }
}
export type ProgramsPage = Awaited<ReturnType<typeof loadPrograms>>

async function loadTemplates(ctx: Ctx, state: { q: string; page: number }) {
  const { templates, count } = await listTemplatesPage(ctx, state)
  return {
    count,
    programs: [],
    templates: templates.map(({ id, name, milestones, items, updatedAt }) => ({
      id,
      name,
      isEmpty: milestones === 0,
      details: [
        formatCount(milestones, 'milestone', 'milestones'),
        formatCount(items, 'item', 'items'),
        `changed ${formatDay(updatedAt, ctx.now(), ctx.account.timezone)}`,
      ].join(', '),
    })),
  }
}

async function loadClients(ctx: Ctx, state: { view: View; q: string; page: number }) {
  const { programs, count } = await listProgramsPage(ctx, state)
  const { items } = await listItems(
    ctx,
    programs.map(({ id }) => id),
  )
  return {
    count,
    templates: [],
    programs: programs.map((program) => ({
      id: program.id,
      name: program.name,
      clientName: program.clientName,
      progress: toProgressView(
        ctx,
        program,
        items.filter(({ programId }) => programId === program.id),
      ),
      when: program.completedAt
        ? `Completed: ${formatDay(program.completedAt, ctx.now(), ctx.account.timezone)}`
        : `Start: ${formatCalendarDate(program.startDate, { month: 'short', day: 'numeric', year: 'numeric' })}`,
    })),
  }
}

/** The choices of the dialog that assigns a program. */
async function loadOptions(ctx: Ctx, clientId: number | null): Promise<AssignOptions> {
  const [templates, listed, [chosen]] = await Promise.all([
    listTemplateOptions(ctx),
    listClientOptions(ctx, { rows: maxClients + 1 }),
    clientId ? listClientNames(ctx, [clientId]) : [],
  ])
  const clients = listed.slice(0, maxClients).map(({ id, name }) => ({ id, name }))
  const isListed = !chosen || chosen.inTrash || clients.some(({ id }) => id === chosen.id)
  return {
    templates,
    clients: isListed ? clients : [{ id: chosen.id, name: chosen.name }, ...clients],
    hasMore: listed.length > maxClients,
  }
}
