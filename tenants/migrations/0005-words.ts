import { migration } from '#db/migration.ts'

/** What records say in words, for the search: beside their tables, whose rows stay small. Kept by a trigger of each table, see `withWords`. */
export const words = migration(
  'house/0005-words',
  /* sql */ `
create table "search_words" ("coach_id" bigint not null, "kind" text not null, "record_id" bigint not null, "words" text not null, primary key ("coach_id", "kind", "record_id"));
alter table "search_words" enable row level security;
alter table "search_words" force row level security;
create policy "search_words_tenant" on "search_words" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);

-- As search_key, of light markup: without its signs, which the search leaves out of what is looked for too.
create function words_key(markup text) returns text
language sql immutable parallel safe as $$
  select search_key(translate(markup, '*_=#•\\', ''))
$$;

-- The trigger's arguments are the columns with words.
create function keep_words() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  held text;
begin
  if tg_op <> 'DELETE' then
    select words_key(string_agg(to_jsonb(new) ->> name, chr(10) order by at)) into held from unnest(tg_argv) with ordinality as columns (name, at);
  end if;
  if held <> '' then
    insert into search_words (coach_id, kind, record_id, words) values (new.coach_id, tg_table_name, new.id, held)
      on conflict (coach_id, kind, record_id) do update set words = excluded.words;
  elsif tg_op <> 'INSERT' then
    delete from search_words where coach_id = old.coach_id and kind = tg_table_name and record_id = old.id;
  end if;
  return null;
end $$;
`,
)
