import { foundTogether, searchLimit } from '#app/lib/search-results.ts'
import { around } from '#app/lib/markup.ts'
import type { Entity } from '#db/orm.ts'
import type { Query } from '#db/read-pool.ts'
import type { Ctx } from '#tenants/context.ts'
import type { Extensions } from '#tenants/extensions.ts'
import type { NewAccountStep } from '#tenants/platform.ts'
import admin from './admin/module.ts'
import billing from './billing/module.ts'
import scheduling from './scheduling/module.ts'
import crm from './crm/module.ts'
import pipeline from './pipeline/module.ts'
import type { FigureName, ModuleManifest, NavItem, SearchHit, SearchProvider } from './core/manifest.ts'
import { problemsOf } from './core/validate-manifests.ts'

/** The one list of modules. A module is its folder and its line here. */
export const modules: ModuleManifest[] = [crm, billing, pipeline, scheduling, admin]

const [problem] = problemsOf(modules)
if (problem) throw new Error(problem)

/** What the platform carries to every ctx, so that no module knows this list. */
export const extensions: Extensions = {
  subscribers: modules.flatMap((module) => module.subscribers ?? []),
  contributions: modules.flatMap(({ id, contributions = [] }) => contributions.map((one) => ({ ...one, module: id }))),
}
export { fill } from './core/slots.ts'

/** Entities in the order of dependence: what others refer to comes first. */
export const moduleEntities: Entity[] = modules.flatMap((module) => module.entities)

/** The rows that a new account begins with, of all modules, in the account's transaction. */
export const newAccount: NewAccountStep = async (tx, coachId) => {
  for (const module of modules) await module.newAccount?.(tx, coachId)
}

export type ShownNavItem = Omit<NavItem, 'badge' | 'permission'> & { badge: number }

/** The sidebar's items that `ctx` may open, in order, with their numbers. */
export async function navigation(ctx: Ctx): Promise<ShownNavItem[]> {
  const items = modules
    .flatMap((module) => module.nav ?? [])
    .filter((item) => !item.permission || ctx.can(item.permission))
  const shown = items.map(async ({ badge, permission: _permission, ...item }) => ({
    ...item,
    badge: (await badge?.(ctx)) ?? 0,
  }))
  return (await Promise.all(shown)).sort((a, b) => a.order - b.order)
}

/** The practice's figures, of all modules, in one round trip. Those that no module counts are 0. */
export async function figures(ctx: Ctx): Promise<Record<FigureName, number>> {
  const all: Record<FigureName, number> = {
    totalClients: 0,
    sessionsThisMonth: 0,
    monthlyRevenue: 0,
    activeProspects: 0,
  }
  const parts = modules.flatMap((module) => Object.entries(module.figures ?? {}) as [FigureName, (ctx: Ctx) => Query][])
  const answers = await ctx.rowsOf(parts.map(([, query]) => query(ctx)))
  for (const [at, [name]] of parts.entries()) all[name] += Number((answers[at] as { value: number }[])[0]!.value)
  return all
}

export type Found = SearchHit & { type: string }

/** Where a search looks: names, or the words in records. */
export type SearchedIn = 'names' | 'words'

/** At most 8 hits of all modules for a term of more than 2 characters, in one round trip. One failed source suppresses all: part-1 §2. */
export async function search(
  ctx: Ctx,
  term: string,
  within: SearchedIn = 'names',
): Promise<{ results: Found[]; failed: boolean }> {
  const wanted = term.trim()
  if ([...wanted].length <= 2) return { results: [], failed: false }
  const providers = modules
    .flatMap((module) => module.search ?? [])
    .filter(
      ({ permission, inWords = false }) => (!permission || ctx.can(permission)) && inWords === (within === 'words'),
    )
  try {
    const results = await best(ctx, providers, wanted)
    return {
      results:
        within === 'words'
          ? results.map((hit) => ({ ...hit, subtitle: hit.subtitle && around(hit.subtitle, wanted) }))
          : results,
      failed: false,
    }
  } catch (error) {
    ctx.platform.log.error({ err: error, requestId: ctx.requestId }, 'a search source failed')
    return { results: [], failed: true }
  }
}

/** As `search`, by names, and by words where names leave room. */
export async function searchAll(ctx: Ctx, term: string): Promise<{ results: Found[]; failed: boolean }> {
  const named = await search(ctx, term)
  if (named.failed || named.results.length === searchLimit) return named
  const saying = await search(ctx, term, 'words')
  return saying.failed ? saying : { results: foundTogether(named.results, saying.results), failed: false }
}

/** The best of each kind before the second best of any; then those of a kind together. */
async function best(ctx: Ctx, providers: SearchProvider[], term: string): Promise<Found[]> {
  const answers = await ctx.rowsOf(providers.map(({ query }) => query(term, searchLimit, ctx.now())))
  const ranked = answers.flatMap((hits, source) =>
    (hits as SearchHit[]).map((hit, rank) => ({ source, rank, hit: { ...hit, type: providers[source]!.type } })),
  )
  const first = ranked.sort((a, b) => a.rank - b.rank || a.source - b.source).slice(0, searchLimit)
  return first.sort((a, b) => a.source - b.source || a.rank - b.rank).map(({ hit }) => hit)
}
