import { snippetAround } from '#app/lib/markup.ts'
import { rankHit } from '#app/lib/search-ranking.ts'
import { mergeHits, searchLimit } from '#app/lib/search.ts'
import type { Ctx } from '#tenants/context.ts'
import type { SearchHit, SearchProvider } from './manifest.ts'

export type SearchResult = SearchHit & { type: string }
/** Whether to match the names of records or the text in them. */
export type SearchScope = 'names' | 'content'
export type SearchResults = { results: SearchResult[]; failed: boolean }

/**
 * At most 8 hits of all modules for a term of more than 2 characters, in one round trip. One failed source suppresses
 * all results (part-1 §2).
 */
export async function search(ctx: Ctx, term: string, scope: SearchScope = 'names'): Promise<SearchResults> {
  const trimmed = term.trim()
  if ([...trimmed].length <= 2) return { results: [], failed: false }
  const providers = ctx.extensions.searchProviders.filter(
    ({ permission, searchesContent = false }) =>
      (!permission || ctx.can(permission)) && searchesContent === (scope === 'content'),
  )
  const run = () => findResults(ctx, providers, trimmed, scope)
  // Names are short; the content of all records takes a second to search.
  return scope === 'names' ? run() : ctx.platform.tenantSlots.run(ctx.coachId, 'search', run)
}

async function findResults(
  ctx: Ctx,
  providers: SearchProvider[],
  term: string,
  scope: SearchScope,
): Promise<SearchResults> {
  try {
    const results = await findBest(ctx, providers, term, scope)
    const snippets = results.map((hit) => ({ ...hit, subtitle: hit.subtitle && snippetAround(hit.subtitle, term) }))
    return { results: scope === 'content' ? snippets : results, failed: false }
  } catch (error) {
    ctx.platform.log.error({ err: error, requestId: ctx.requestId }, 'a search source failed')
    return { results: [], failed: true }
  }
}

/** Searches names, and content where names leave room. */
export async function searchAll(ctx: Ctx, term: string): Promise<SearchResults> {
  const byName = await search(ctx, term)
  if (byName.failed || byName.results.length === searchLimit) return byName
  const byContent = await search(ctx, term, 'content')
  return byContent.failed ? byContent : { results: mergeHits(byName.results, byContent.results), failed: false }
}

/** Worse than any match. */
const archivedRank = 100

/**
 * The best matches first, across all types. Among equal matches, takes the best of each type before the second best of
 * any, and groups them by type. Matches in content keep the order of their providers.
 */
async function findBest(
  ctx: Ctx,
  providers: SearchProvider[],
  term: string,
  scope: SearchScope,
): Promise<SearchResult[]> {
  const { coachId } = ctx
  const queries = providers.map(({ query }) => query({ coachId, term, limit: searchLimit, now: ctx.now() }))
  const ranked = (await ctx.queryAll(queries)).flatMap((hits, source) =>
    (hits as SearchHit[]).map(({ archived = false, ...hit }, position) => ({
      source,
      position,
      rank: (archived ? archivedRank : 0) + (scope === 'names' ? rankHit(hit, term) : 0),
      hit: { ...hit, type: providers[source]!.type },
    })),
  )
  return ranked
    .sort((a, b) => a.rank - b.rank || a.position - b.position || a.source - b.source)
    .slice(0, searchLimit)
    .sort((a, b) => a.rank - b.rank || a.source - b.source || a.position - b.position)
    .map(({ hit }) => hit)
}
