import { migration } from '#db/migration.ts'

/** What was said of somebody who is erased goes from the records that stay, and from their history, see `forgottenWith`. */
export const forgotten = migration(
  'house/0006-forgotten',
  /* sql */ `
grant update on "history" to practice_history;

-- The triggers' arguments are the columns to empty. A form that was opened before is told of it, where the table counts its edits.
create function empty_columns() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  execute format('update %I set %s where coach_id = $1 and id = $2', tg_table_name,
    (select string_agg(format('%I = null', name), ', ') from unnest(tg_argv) name) || case when to_jsonb(new) ? 'version' then ', version = version + 1' else '' end)
    using new.coach_id, new.id;
  return null;
end $$;

create function forget_columns() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update history set changes = (select coalesce(jsonb_agg(change order by at), '[]') from jsonb_array_elements(changes) with ordinality as told (change, at) where change ->> 'field' <> all (tg_argv))
    where coach_id = new.coach_id and kind = tg_table_name and record_id = new.id
      and exists (select from jsonb_array_elements(changes) change where change ->> 'field' = any (tg_argv));
  delete from history where coach_id = new.coach_id and kind = tg_table_name and record_id = new.id and action = 'changed' and changes = '[]';
  return null;
end $$;
alter function forget_columns() owner to practice_history;
revoke all on function forget_columns() from public;
`,
)
