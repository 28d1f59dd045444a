import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'programs/0001-initial',
    /* sql */ `
create table program_template (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  description text,
  milestones jsonb not null default '[]',
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(name)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint program_template_name_length check (name <> '' and char_length(name) <= 255),
  constraint program_template_description_length check (char_length(description) <= 2000),
  constraint program_template_milestones_count
    check (jsonb_typeof(milestones) = 'array' and jsonb_array_length(milestones) <= 50),
  constraint program_template_version_range check (version >= 1)
);
create index program_template_newest on program_template (coach_id, created_at desc, id desc)
  where deleted_at is null;
${enableTenantPolicy('program_template')}
${addHistoryTrigger('program_template', ['version', 'milestones'])}

create table program (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  template_id bigint,
  name text not null,
  description text,
  start_date date not null,
  completed_at timestamptz(3),
  progress jsonb not null default '[]',
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(name)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint program_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint program_coach_id_template_id_foreign foreign key (coach_id, template_id)
    references program_template (coach_id, id),
  constraint program_name_length check (name <> '' and char_length(name) <= 255),
  constraint program_description_length check (char_length(description) <= 2000),
  constraint program_progress_count check (jsonb_typeof(progress) = 'array' and jsonb_array_length(progress) <= 500),
  constraint program_version_range check (version >= 1)
);
create index program_newest on program (coach_id, created_at desc, id desc) where deleted_at is null;
create index program_client on program (coach_id, client_id);
create index program_template_id on program (coach_id, template_id) where template_id is not null;
create unique index program_running on program (coach_id, client_id, template_id)
  where template_id is not null and completed_at is null and deleted_at is null;
${enableTenantPolicy('program')}
${addHistoryTrigger('program', ['version', 'progress'])}

create table program_milestone (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  program_id bigint not null,
  position int not null,
  title text not null,
  description text,
  start_date date not null,
  primary key (coach_id, id),
  constraint program_milestone_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint program_milestone_coach_id_program_id_foreign foreign key (coach_id, program_id)
    references program (coach_id, id) on delete cascade,
  constraint program_milestone_title_length check (title <> '' and char_length(title) <= 255),
  constraint program_milestone_description_length check (char_length(description) <= 2000)
);
create index program_milestone_program on program_milestone (coach_id, program_id, position);
create index program_milestone_client on program_milestone (coach_id, client_id);
${enableTenantPolicy('program_milestone')}

create table program_item (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  program_id bigint not null,
  milestone_id bigint not null,
  position int not null,
  kind text not null,
  title text not null,
  owner text not null,
  due_date date,
  choice_id bigint,
  record_id bigint,
  started_at timestamptz(3),
  done_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint program_item_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint program_item_coach_id_program_id_foreign foreign key (coach_id, program_id)
    references program (coach_id, id) on delete cascade,
  constraint program_item_coach_id_milestone_id_foreign foreign key (coach_id, milestone_id)
    references program_milestone (coach_id, id) on delete cascade,
  constraint program_item_kind_allowed check (kind in ('check', 'task', 'form', 'session', 'resource')),
  constraint program_item_title_length check (title <> '' and char_length(title) <= 255),
  constraint program_item_owner_allowed check (owner in ('client', 'coach')),
  constraint program_item_started check (record_id is null or started_at is not null)
);
create index program_item_program on program_item (coach_id, program_id);
create index program_item_milestone on program_item (coach_id, milestone_id);
create index program_item_client on program_item (coach_id, client_id);
create index program_item_to_start on program_item (coach_id, program_id)
  where started_at is null and kind <> 'check';
${enableTenantPolicy('program_item')}

create table goal (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  program_id bigint not null,
  title text not null,
  unit text,
  start_value double precision not null,
  target_value double precision not null,
  deleted_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint goal_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint goal_coach_id_program_id_foreign foreign key (coach_id, program_id)
    references program (coach_id, id) on delete cascade,
  constraint goal_title_length check (title <> '' and char_length(title) <= 255),
  constraint goal_unit_length check (char_length(unit) <= 40),
  constraint goal_values_differ check (start_value <> target_value),
  constraint goal_version_range check (version >= 1)
);
create index goal_program on goal (coach_id, program_id);
create index goal_client on goal (coach_id, client_id);
${enableTenantPolicy('goal')}
${addHistoryTrigger('goal', ['version'])}

create table goal_value (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  goal_id bigint not null,
  value double precision not null,
  set_by text not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint goal_value_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint goal_value_coach_id_goal_id_foreign foreign key (coach_id, goal_id)
    references goal (coach_id, id) on delete cascade,
  constraint goal_value_set_by_allowed check (set_by in ('coach', 'client'))
);
create index goal_value_newest on goal_value (coach_id, goal_id, created_at desc, id desc);
create index goal_value_client on goal_value (coach_id, client_id);
${enableTenantPolicy('goal_value')}
${requireSignedActor('program_milestone', 'program_item', 'goal_value')}

-- A client in the portal ticks items, and adds values. Values never change.
create function limit_program_client() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  is_client boolean := nullif(current_setting('app.client_id', true), '') is not null;
begin
  if tg_argv[0] = 'goal_value' then
    if tg_op = 'INSERT' and (not is_client or new.set_by = 'client') or tg_op = 'UPDATE' and new.coach_id <> old.coach_id then
      return new;
    end if;
    raise exception 'a value never changes, and says who has set it' using errcode = 'restrict_violation';
  end if;
  if not is_client then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    if to_jsonb(new) - array['done_at', 'updated_at'] = to_jsonb(old) - array['done_at', 'updated_at'] then
      return new;
    end if;
  end if;
  raise exception 'a client ticks items alone' using errcode = 'restrict_violation';
end $$;
create trigger program_item_client before insert or update on program_item
  for each row execute function limit_program_client('program_item');
create trigger goal_value_client before insert or update on goal_value
  for each row execute function limit_program_client('goal_value');
`,
  ),
  // As before, and values go with the client's other records when two clients are merged.
  migration(
    'programs/0002-merged-clients',
    /* sql */ `
create or replace function limit_program_client() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  is_client boolean := nullif(current_setting('app.client_id', true), '') is not null;
begin
  if tg_argv[0] = 'goal_value' then
    if tg_op = 'INSERT' and (not is_client or new.set_by = 'client') or tg_op = 'UPDATE' and new.coach_id <> old.coach_id then
      return new;
    end if;
    if tg_op = 'UPDATE' and not is_client and to_jsonb(new) - 'client_id' = to_jsonb(old) - 'client_id'
      and is_client_move(new.coach_id, old.client_id, new.client_id)
    then
      return new;
    end if;
    raise exception 'a value never changes, and says who has set it' using errcode = 'restrict_violation';
  end if;
  if not is_client then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    if to_jsonb(new) - array['done_at', 'updated_at'] = to_jsonb(old) - array['done_at', 'updated_at'] then
      return new;
    end if;
  end if;
  raise exception 'a client ticks items alone' using errcode = 'restrict_violation';
end $$;
`,
  ),
]
