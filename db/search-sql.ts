import { p } from '@mikro-orm/core'

/** The stored column that the search compares: lower case without accents. `expression`: SQL over the row's columns. */
export const searchColumn = (expression: string) => ({
  searchText: p.text().generated(`(search_key(${expression})) stored`).nullable().lazy(),
})

/** SQL: the term as `search_text` has it. A subquery, so that it is computed once and not for every row. */
export const searchKey = (placeholder: string): string => `(select search_key(${placeholder}::text))`

/**
 * SQL: `search_text` contains the term, in any case, with or without accents; `%`, `_` and `\\` are ordinary
 * characters. `alias`: of the table, where a query has several.
 */
export const matchesSearch = (placeholder: string, alias?: string): string =>
  `strpos(${alias ? `${alias}.` : ''}search_text, (select nullif(search_key(${placeholder}::text), ''))) > 0`

/** SQL for `order by`: matches at the start of `search_text` first, then those at the start of a word. */
export const matchOrder = (placeholder: string): string =>
  `not starts_with(search_text, ${searchKey(placeholder)}),
    strpos(replace(search_text, chr(10), ' '), ' ' || ${searchKey(placeholder)}) = 0`

/** SQL: as `matchesSearch`, in the first line of `search_text` alone, which is the name. */
export const firstLineMatches = (placeholder: string, alias?: string): string => {
  const column = `${alias ? `${alias}.` : ''}search_text`
  return `${matchesSearch(placeholder, alias)}
    and strpos(split_part(${column}, chr(10), 1), ${searchKey(placeholder)}) > 0`
}

/**
 * SQL: the content of the row of `table` with this `id` contains the term, in any case, without accents and formatting.
 * $1 is the coach. An array instead of a join: for a join the planner overestimates the rows and starts parallel
 * workers.
 */
export const matchesContent = (table: string, placeholder: string, id = 'id'): string =>
  `${id} = any(array(select record_id from search_content where coach_id = $1 and kind = '${table}'
    and strpos(content, (select nullif(content_key(${placeholder}::text), ''))) > 0))`

/** SQL: the first line of the row's `columns` that contains the term, as `matchesContent` finds it. */
export const matchingLine = (placeholder: string, columns: string[]): string =>
  `(select line from string_to_table(concat_ws(chr(10), ${columns.join(', ')}), chr(10))
      with ordinality as lines (line, position)
    where strpos(content_key(line), content_key(${placeholder}::text)) > 0 order by position limit 1)`
