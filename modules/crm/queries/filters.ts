import { matchesSearch } from '#db/search-sql.ts'
import { fillSlot } from '#modules/core/slots.ts'
import type { Ctx } from '#tenants/context.ts'
import { hasTag } from '../joins.ts'
import { splitFilter, type ListState, type Scope } from '../list-state.ts'
import type { ClientFilter, FilterCondition } from '../slots.ts'

export type FilterState = Pick<ListState, 'q' | 'status' | 'tag' | 'filters'>

export const scopeConditions: Record<Scope, string> = {
  current: 'deleted_at is null and archived_at is null',
  archive: 'deleted_at is null and archived_at is not null',
}

/** The filters that other modules offer. */
export async function listContributedFilters(ctx: Ctx): Promise<ClientFilter[]> {
  return (await fillSlot(ctx, 'client.filter')).map(({ data }) => data as ClientFilter)
}

/** The conditions of a list in use, besides its scope. */
export async function loadConditions(ctx: Ctx, { q, status, tag, filters }: FilterState): Promise<FilterCondition[]> {
  const own: (FilterCondition | false)[] = [
    q !== '' && { name: 'q', value: q, sql: (placeholder) => matchesSearch(placeholder) },
    status !== null && { name: 'status', value: status, sql: (placeholder) => `status = ${placeholder}` },
    tag !== '' && { name: 'tag', value: tag, sql: (placeholder) => hasTag(placeholder) },
  ]
  return [...own.filter((condition) => condition !== false), ...(await loadContributedConditions(ctx, filters))]
}

/** The conditions of other modules' filters. What isn't a choice of one matches nobody. */
export async function loadContributedConditions(ctx: Ctx, filters: readonly string[]): Promise<FilterCondition[]> {
  const contributed = filters.length ? await listContributedFilters(ctx) : []
  const conditions = filters.map((filter) => {
    const [name, value] = splitFilter(filter)
    return contributed.find((own) => own.name === name)?.condition(value) ?? null
  })
  const known = conditions.filter((condition) => condition !== null)
  return known.length < conditions.length ? [...known, nobody] : known
}

const nobody: FilterCondition = { name: 'nobody', value: true, sql: (placeholder) => `not ${placeholder}::boolean` }

/** The SQL of a scope and conditions whose values begin at `$first`, and their part of the statement's name. */
export function conditionSql(show: Scope, conditions: FilterCondition[], first: number) {
  return {
    name: [show, ...conditions.map(({ name }) => name)].join('-'),
    where: [scopeConditions[show], ...conditions.map(({ sql }, index) => sql(`$${first + index}`))].join(' and '),
    values: conditions.map(({ value }) => value),
  }
}
