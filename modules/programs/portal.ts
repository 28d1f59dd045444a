import type { PortalLink } from '#modules/core/manifest.ts'
import { requireClient, type Ctx } from '#tenants/context.ts'
import { toMilestoneViews, toProgressView } from './format.ts'
import { loadDetails } from './program-loader.server.ts'
import { listItemsOfClient } from './queries/items.ts'
import { listProgramsOfClient } from './queries/programs.ts'

const pagePrograms = 20
/** Open items on the home page. */
const homeItems = 3

export const portalPage = async (): Promise<PortalLink> => ({ label: 'Program', to: '/portal/program' })

/** The running programs of the client in the portal with their next items; null without one. */
export async function loadPortalPrograms(ctx: Ctx) {
  const client = requireClient(ctx, 'client:program:write')
  // In one batch: a query that waits for another costs the home page a further round trip.
  const [own, { milestones, items }] = await Promise.all([listOwn(ctx), listItemsOfClient(ctx, client.id)])
  const programs = own.filter(({ completedAt }) => completedAt === null)
  if (!programs.length) return null
  const views = toMilestoneViews(ctx, { milestones, items })
  return {
    programs: programs.map((program) => {
      const begun = views.filter(({ programId, hasBegun }) => programId === program.id && hasBegun)
      const open = begun
        .flatMap((milestone) => milestone.items)
        .filter(({ doneOn, kind }) => !doneOn && kind !== 'resource')
      return {
        id: program.id,
        name: program.name,
        progress: toProgressView(
          ctx,
          program,
          items.filter(({ programId }) => programId === program.id),
        ),
        next: open.slice(0, homeItems).map(({ id, title, due, isOverdue }) => ({ id, title, due, isOverdue })),
      }
    }),
  }
}
export type PortalPrograms = NonNullable<Awaited<ReturnType<typeof loadPortalPrograms>>>

/** The page of the client's programs. */
export async function loadPortalProgramsPage(ctx: Ctx) {
  const programs = await listOwn(ctx)
  return { programs: await Promise.all(programs.map((program) => loadDetails(ctx, program))) }
}

const listOwn = (ctx: Ctx) => listProgramsOfClient(ctx, requireClient(ctx, 'client:program:write').id, pagePrograms)
