import { p, type PolicyDef } from '@mikro-orm/core'

const ownCoach = `nullif(current_setting('app.coach_id', true), '')::bigint`

/** The columns that every tenant table begins with. Keys are `(coach_id, id)`, so no row can point into another tenant. */
export const tenantColumns = {
  // `returning`: of a key made of two columns, MikroORM otherwise forgets the first once the second was counted.
  coachId: p.bigint('number').primary().returning(),
  id: p.bigint('number').primary().autoincrement(),
}

export const timestamps = {
  createdAt: p.datetime(3),
  updatedAt: p.datetime(3),
}

/**
 * Row level security of a tenant table: forced on its owner too, one policy, failing closed when no coach is set
 * (`nullif`: after a local set the variable is '', not null).
 */
export function tenantPolicy(table: string, key = 'coach_id'): { rowLevelSecurity: 'force'; policies: PolicyDef[] } {
  return {
    rowLevelSecurity: 'force',
    policies: [{ name: `${table}_tenant`, using: `${key} = ${ownCoach}`, check: `${key} = ${ownCoach}` }],
  }
}

/** As `tenantPolicy`, and readable for the role that owns the look-up functions (sign-in, hosts, platform figures). */
export function lookedUpPolicy(table: string, key = 'coach_id'): { rowLevelSecurity: 'force'; policies: PolicyDef[] } {
  const own = tenantPolicy(table, key)
  return {
    ...own,
    policies: [...own.policies, { name: `${table}_lookup`, command: 'select', roles: [lookupRole], using: 'true' }],
  }
}

/** Group of the roles that serve: rights on rows, no ownership. */
export const appRole = 'practice_app'
/** Owns the SECURITY DEFINER look-up functions; nobody signs in as it. */
export const lookupRole = 'practice_lookup'

/** Owns the trigger that writes the history, and alone may write there; nobody signs in as it. */
export const historyRole = 'practice_history'

/** SQL of a migration: `table` has its history from now on. `silent` columns are no news: caches, versions, positions. */
export const withHistory = (table: string, silent: string[] = []): string =>
  `create trigger "${table}_history" after insert or update or delete on "${table}" for each row execute function record_history(${silent.map((column) => `'${column}'`).join(', ')});`

/**
 * SQL of a migration: a row of `table` that stays when the one it refers to by `reference` is erased loses what stands in
 * `columns`, and its history what stood there. Only the foreign key does so: whoever empties `reference` by hand loses nothing.
 */
export const forgottenWith = (table: string, reference: string, columns: string[]): string => {
  const names = columns.map((column) => `'${column}'`).join(', ')
  const when = `after update of ${reference} on "${table}" for each row when (old.${reference} is not null and new.${reference} is null and pg_trigger_depth() > 0)`
  // They run in the order of their names: the one that writes the history is between them.
  return `
create trigger "${table}_emptied" ${when} execute function empty_columns(${names});
create trigger "${table}_last_forgotten" ${when} execute function forget_columns(${names});`
}

/** A stored column of what the search looks through: small letters without accents. `expression` is SQL over the row's columns. */
export const searched = (expression: string) => ({
  searchText: p.text().generated(`(search_key(${expression})) stored`).nullable().lazy(),
})

/** SQL: what `search_text` is compared with. As a query of its own it is worked out once, not for every row. */
export const searchKey = (placeholder: string): string => `(select search_key(${placeholder}::text))`

/** SQL: the row's `search_text` holds the term, in any case, with or without accents; `%`, `_` and `\\` are ordinary letters. `row`: of several, whose. */
export const holds = (placeholder: string, row?: string): string =>
  `strpos(${row ? `${row}.` : ''}search_text, (select nullif(search_key(${placeholder}::text), ''))) > 0`

/** SQL: as `holds`, within the first line of `search_text` alone: the name, where an address or notes come after it. */
export const firstLineHolds = (placeholder: string): string =>
  `${holds(placeholder)} and strpos(split_part(search_text, chr(10), 1), ${searchKey(placeholder)}) > 0`

/** SQL of a migration: what stands in `columns` of `table`, light markup, is found by the search from now on (`wordsHold`), what stands there already too. */
export const withWords = (table: string, columns: string[]): string => `
create trigger "${table}_words" after insert or delete or update of ${columns.join(', ')} on "${table}" for each row execute function keep_words(${columns.map((column) => `'${column}'`).join(', ')});
do $$
declare
  coach bigint;
begin
  for coach in select id from every_coach() loop
    perform set_config('app.coach_id', coach::text, true);
    insert into search_words (coach_id, kind, record_id, words)
      select coach_id, '${table}', id, words_key(concat_ws(chr(10), ${columns.join(', ')})) from "${table}" where coach_id = coach and words_key(concat_ws(chr(10), ${columns.join(', ')})) <> '';
  end loop;
  perform set_config('app.coach_id', '', true);
end $$;`

/**
 * SQL: the row of `table` with this `id` has words that hold the term, in any case, with or without accents and formatting. As an array they are
 * looked for once and first: joined, the planner takes them for so many that it calls for workers, who take longer to come than to look.
 */
export const wordsHold = (table: string, placeholder: string, id = 'id'): string =>
  `${id} = any(array(select record_id from search_words where kind = '${table}' and strpos(words, (select nullif(words_key(${placeholder}::text), ''))) > 0))`

/** SQL: the first line of the row's `columns` that holds the term, as `wordsHold` finds it. */
export const lineThatHolds = (placeholder: string, columns: string[]): string =>
  `(select line from string_to_table(concat_ws(chr(10), ${columns.join(', ')}), chr(10)) with ordinality as lines (line, at) where strpos(words_key(line), words_key(${placeholder}::text)) > 0 order by at limit 1)`

/** SQL for a check that a text column has at most `max` code points. */
export const atMost = (column: string, max: number): string => `char_length(${column}) <= ${max}`

/** SQL for a check that a column holds one of `values`. */
export const oneOf = (column: string, values: readonly string[]): string =>
  `${column} in (${values.map((value) => `'${value}'`).join(', ')})`
