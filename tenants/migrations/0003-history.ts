import { migration } from '#db/migration.ts'

/** Who changed what, written by the database itself, and what the search compares. */
export const history = migration(
  'house/0003-history',
  /* sql */ `
create table "history" ("coach_id" bigint not null, "id" bigserial not null, "kind" text not null, "record_id" bigint not null, "action" text not null, "changes" jsonb not null, "actor_id" bigint null, "created_at" timestamptz(3) not null, primary key ("coach_id", "id"));
create index "history_of_record" on "history" ("coach_id", "kind", "record_id", "id");
alter table "history" add constraint "history_action_known" check (action in ('created', 'changed', 'deleted', 'restored'));
alter table "history" enable row level security;
alter table "history" force row level security;
create policy "history_tenant" on "history" using (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint) with check (coach_id = nullif(current_setting('app.coach_id', true), '')::bigint);
grant usage on schema public to practice_history;
grant select, insert, delete on "history" to practice_history;
grant usage on sequence "history_id_seq" to practice_history;

-- Of every change of a row: who, when, which columns from what to what. The trigger's arguments are columns that are no
-- news. A row that goes for good takes its history with it.
create function record_history() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  before jsonb;
  after jsonb;
  done text := 'changed';
  fields jsonb;
  at timestamptz := coalesce(nullif(current_setting('app.now', true), '')::timestamptz, now());
begin
  if tg_op = 'DELETE' then
    delete from history where coach_id = old.coach_id and kind = tg_table_name and record_id = old.id;
    return null;
  end if;
  after := to_jsonb(new);
  if tg_op = 'INSERT' then
    done := 'created';
    at := coalesce(new.created_at, at);
    fields := '[]';
  else
    before := to_jsonb(old);
    select coalesce(jsonb_agg(jsonb_build_object('field', key, 'from', before -> key, 'to', value) order by key), '[]') into fields
      from jsonb_each(after)
      where value is distinct from before -> key and key <> all (tg_argv) and key not in ('created_at', 'updated_at', 'deleted_at', 'search_text');
    if after -> 'deleted_at' is distinct from before -> 'deleted_at' then
      done := case when after ->> 'deleted_at' is null then 'restored' else 'deleted' end;
    elsif fields = '[]' then
      return null;
    end if;
    if new.updated_at is distinct from old.updated_at then at := new.updated_at; end if;
  end if;
  insert into history (coach_id, kind, record_id, action, changes, actor_id, created_at)
    values (new.coach_id, tg_table_name, new.id, done, fields, nullif(current_setting('app.actor', true), '')::bigint, at);
  return null;
end $$;
alter function record_history() owner to practice_history;
revoke all on function record_history() from public;

-- Small letters without accents, whatever the database's own rules are: 'Åsa Müßig' and 'asa mussig' are the same, and so are
-- wide and narrow forms, the two Greek letters s, and the kinds of hyphen and apostrophe.
create function search_key(words text) returns text
language sql immutable parallel safe as $$
  select translate(replace(replace(replace(regexp_replace(normalize(lower(words collate "und-x-icu"), nfkd), '[\\u0300-\\u036f]', '', 'g'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđðıħŧς’‘‐‑–', 'olddihtσ''''---')
$$;
`,
)
