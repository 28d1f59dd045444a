import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, indexContent } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  // Stages, prospects and their activity.
  migration(
    'pipeline/0001-initial',
    /* sql */ `
create table pipeline_stage (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  color text not null default '#3B82F6',
  position int not null,
  alias text,
  deleted_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint pipeline_stage_alias_key unique (coach_id, alias),
  constraint pipeline_stage_name_length check (name <> '' and char_length(name) <= 255),
  constraint pipeline_stage_color_format check (color ~ '^#[0-9a-fA-F]{6}$'),
  constraint pipeline_stage_position_range check (position >= 0),
  constraint pipeline_stage_alias_allowed
    check (alias in ('lead', 'qualified', 'proposal', 'negotiation', 'closed_won')),
  constraint pipeline_stage_version_range check (version >= 1)
);
${enableTenantPolicy('pipeline_stage')}
-- The default stages of existing accounts; new accounts get theirs when they are created.
do $$
declare
  coach bigint;
begin
  for coach in select id from list_coaches() loop
    perform set_config('app.coach_id', coach::text, true);
    insert into pipeline_stage (coach_id, name, color, position, alias, created_at, updated_at) values
      (coach, 'Lead', '#3B82F6', 0, 'lead', now(), now()),
      (coach, 'Qualified', '#8B5CF6', 1, 'qualified', now(), now()),
      (coach, 'Proposal', '#D97706', 2, 'proposal', now(), now()),
      (coach, 'Negotiation', '#DB2777', 3, 'negotiation', now(), now()),
      (coach, 'Closed Won', '#16A34A', 4, 'closed_won', now(), now());
  end loop;
  perform set_config('app.coach_id', '', true);
end $$;
${addHistoryTrigger('pipeline_stage', ['version'])}

create table prospect (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  email text,
  phone text,
  location text,
  profession text,
  timezone text,
  company text,
  title text,
  stage_id bigint,
  position bigint not null,
  displaced_by bigint[] not null default '{}',
  value bigint not null default '0',
  probability int not null default 0,
  source text,
  notes text,
  future_goals text,
  frustrations text,
  fears text,
  failures text,
  product_id bigint,
  next_follow_up timestamptz(3),
  converted_at timestamptz(3),
  client_id bigint,
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(name || chr(10) || coalesce(email, ''))) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint prospect_coach_id_stage_id_foreign foreign key (coach_id, stage_id)
    references pipeline_stage (coach_id, id),
  constraint prospect_coach_id_product_id_foreign foreign key (coach_id, product_id) references product (coach_id, id),
  constraint prospect_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint prospect_name_length check (char_length(name) <= 255),
  constraint prospect_phone_length check (char_length(phone) <= 255),
  constraint prospect_location_length check (char_length(location) <= 255),
  constraint prospect_profession_length check (char_length(profession) <= 255),
  constraint prospect_timezone_length check (char_length(timezone) <= 255),
  constraint prospect_company_length check (char_length(company) <= 255),
  constraint prospect_title_length check (char_length(title) <= 255),
  constraint prospect_source_length check (char_length(source) <= 255),
  constraint prospect_email_length check (char_length(email) <= 254),
  constraint prospect_notes_length check (char_length(notes) <= 50000),
  constraint prospect_future_goals_length check (char_length(future_goals) <= 50000),
  constraint prospect_frustrations_length check (char_length(frustrations) <= 50000),
  constraint prospect_fears_length check (char_length(fears) <= 50000),
  constraint prospect_failures_length check (char_length(failures) <= 50000),
  constraint prospect_name_present check (name <> ''),
  constraint prospect_value_range check (value >= 0 and value <= 9999999999),
  constraint prospect_probability_range check (probability >= 0 and probability <= 100),
  constraint prospect_version_range check (version >= 1),
  constraint prospect_stage_present check (stage_id is not null or deleted_at is not null or converted_at is not null),
  constraint prospect_converted_without_stage check (converted_at is null or stage_id is null),
  constraint prospect_converted_with_client check ((converted_at is null) = (client_id is null))
);
create index prospect_board on prospect (coach_id, stage_id, position, id)
  where deleted_at is null and converted_at is null;
create index prospect_newest on prospect (coach_id, created_at desc, id desc)
  where deleted_at is null and converted_at is null;
-- The search reads this index alone, not the rows with their notes.
create index prospect_search on prospect (coach_id, id) include (search_text, converted_at) where deleted_at is null;
create index prospect_client on prospect (coach_id, client_id);
${enableTenantPolicy('prospect')}
${addHistoryTrigger('prospect', ['position', 'displaced_by', 'version', 'converted_at'])}
${indexContent('prospect', ['notes', 'future_goals', 'frustrations', 'fears', 'failures'])}

create table pipeline_activity (
  coach_id bigint not null,
  id bigserial not null,
  prospect_id bigint not null,
  type text not null,
  description text not null,
  metadata jsonb not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint pipeline_activity_coach_id_prospect_id_foreign foreign key (coach_id, prospect_id)
    references prospect (coach_id, id) on delete cascade,
  constraint pipeline_activity_type_allowed
    check (type in ('created', 'moved', 'edited', 'converted', 'deleted', 'restored')),
  constraint pipeline_activity_description_length check (char_length(description) <= 50000)
);
create index pipeline_activity_prospect on pipeline_activity (coach_id, prospect_id, created_at desc, id desc);
${enableTenantPolicy('pipeline_activity')}
`,
  ),
  // Other modules read prospects from a view, and those that work without this one connect to its table.
  migration(
    'pipeline/0002-people',
    /* sql */ `
create or replace view prospect_person with (security_invoker = true) as
  select coach_id, id, name, email, timezone, search_text, deleted_at from prospect;
do $$ begin
  if to_regproc('connect_prospects') is not null then
    perform connect_prospects();
  end if;
end $$;
`,
  ),
  // Messages of prospects in their activity.
  migration(
    'pipeline/0003-messages',
    /* sql */ `
alter table pipeline_activity drop constraint pipeline_activity_type_allowed,
  add constraint pipeline_activity_type_allowed
    check (type in ('created', 'moved', 'edited', 'converted', 'deleted', 'restored', 'message'));
`,
  ),
]
