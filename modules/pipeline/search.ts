import { holds, lineThatHolds, searchKey, wordsHold } from '#db/columns.ts'
import type { SearchProvider } from '#modules/core/manifest.ts'
import { onBoard } from './output.ts'

/** Whose name begins with the term, then the others. */
const bestFirst = `not starts_with(search_text, ${searchKey('$1')}), search_text, id`

/** Prospects by name or e-mail address, and by what is noted of them. */
export const search: SearchProvider[] = [
  {
    type: 'prospect',
    permission: 'pipeline:prospect:read',
    query: (term, limit) => ({
      name: 'pipeline.search',
      text: `select id, name as title, coalesce(company, email) as subtitle, '/pipeline?dialog=edit&prospect=' || id as to from prospect
        where id in (select id from prospect where ${onBoard} and ${holds('$1')} order by ${bestFirst} limit $2) order by ${bestFirst}`,
      values: [term, limit],
    }),
  },
  {
    type: 'prospect',
    permission: 'pipeline:prospect:read',
    inWords: true,
    query: (term, limit) => ({
      name: 'pipeline.search.notes',
      text: `select id, name as title, ${lineThatHolds('$1', ['notes', 'future_goals', 'frustrations', 'fears', 'failures'])} as subtitle, '/pipeline?dialog=edit&prospect=' || id as to from prospect
        where id in (select id from prospect where ${onBoard} and ${wordsHold('prospect', '$1')} order by updated_at desc, id desc limit $2) order by updated_at desc, id desc`,
      values: [term, limit],
    }),
  },
]
