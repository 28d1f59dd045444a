// Every trigger gets its table's name as the first argument: on a shard of Citus `tg_table_name` is the shard's name.

/** Migration SQL: records the changes of `table` in the history, except those of `ignored` columns. */
export const addHistoryTrigger = (table: string, ignored: string[] = []): string => `
create trigger "${table}_history" after insert or update or delete on "${table}"
  for each row execute function write_history(${toArguments(table, ignored)});
`

/**
 * Migration SQL: indexes the light markup in `columns` for the search (`matchesContent`), including existing rows. For
 * a list in JSON give the path of its texts, such as `lines.text`.
 */
export const indexContent = (table: string, columns: string[]): string => `
create trigger "${table}_content" after insert or delete or update of ${toColumns(columns)} on "${table}"
  for each row execute function index_content(${toArguments(table, columns)});
do $$
declare
  coach bigint;
begin
  for coach in select id from list_coaches() loop
    perform set_config('app.coach_id', coach::text, true);
    update "${table}" set ${columns[0]} = ${columns[0]} where coach_id = coach;
  end loop;
  perform set_config('app.coach_id', '', true);
end $$;
`

/**
 * Migration SQL: when `reference` is set to null because the record it points to is erased, clears `columns` of the row
 * that stays and removes their values from its history. An edit that removes the reference increments `version`,
 * erasing doesn't.
 */
export const scrubOnErase = (table: string, reference: string, columns: string[]): string => {
  const timing = `after update of ${reference} on "${table}" for each row
  when (old.${reference} is not null and new.${reference} is null and new.version = old.version)`
  // Triggers run in the order of their names: the history trigger has to run between these two.
  return `
create trigger "${table}_clear" ${timing}
  execute function clear_columns(${toArguments(table, columns)});
create trigger "${table}_scrub_history" ${timing}
  execute function scrub_history(${toArguments(table, columns)});
`
}

const toColumns = (paths: string[]): string => paths.map((path) => path.replace(/\..*/, '')).join(', ')

const toArguments = (table: string, columns: string[]): string =>
  [table, ...columns].map((name) => `'${name}'`).join(', ')
