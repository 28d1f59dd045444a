import { migration } from '#db/migration.ts'
import { enableLookupPolicy, enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, indexContent, requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  // Clients, the activity of the practice, interactions and imports.
  migration(
    'crm/0001-initial',
    /* sql */ `
create table client (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  email text not null,
  phone text,
  location text,
  profession text,
  timezone text,
  program text,
  status text not null default 'active',
  progress int not null default 0,
  goals text,
  notes text,
  future_goals text,
  frustrations text,
  fears text,
  failures text,
  converted_at timestamptz(3),
  converted_from_prospect_id bigint,
  total_spent bigint not null default '0',
  archived_at timestamptz(3),
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(name || chr(10) || email)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint client_name_length check (char_length(name) <= 255),
  constraint client_phone_length check (char_length(phone) <= 255),
  constraint client_location_length check (char_length(location) <= 255),
  constraint client_profession_length check (char_length(profession) <= 255),
  constraint client_timezone_length check (char_length(timezone) <= 255),
  constraint client_program_length check (char_length(program) <= 255),
  constraint client_email_length check (char_length(email) <= 254),
  constraint client_goals_length check (char_length(goals) <= 50000),
  constraint client_notes_length check (char_length(notes) <= 50000),
  constraint client_future_goals_length check (char_length(future_goals) <= 50000),
  constraint client_frustrations_length check (char_length(frustrations) <= 50000),
  constraint client_fears_length check (char_length(fears) <= 50000),
  constraint client_failures_length check (char_length(failures) <= 50000),
  constraint client_name_present check (name <> ''),
  constraint client_email_present check (email <> ''),
  constraint client_status_allowed check (status in ('active', 'inactive', 'completed', 'pending')),
  constraint client_progress_range check (progress >= 0 and progress <= 100),
  constraint client_total_spent_range check (total_spent >= 0),
  constraint client_version_range check (version >= 1)
);
create index client_current on client (coach_id, created_at desc, id desc)
  where deleted_at is null and archived_at is null;
create index client_email on client (coach_id, lower(email)) where deleted_at is null;
-- The search reads this index alone, not the rows with their notes.
create index client_search on client (coach_id, id) include (search_text, archived_at) where deleted_at is null;
create index client_trash on client (coach_id, deleted_at) where deleted_at is not null;
${enableLookupPolicy('client')}
${addHistoryTrigger('client', ['total_spent', 'version', 'converted_at', 'converted_from_prospect_id'])}
${indexContent('client', ['goals', 'notes', 'future_goals', 'frustrations', 'fears', 'failures'])}

create table activity (
  coach_id bigint not null,
  id bigserial not null,
  type text not null,
  title text not null,
  description text,
  client_id bigint,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint activity_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint activity_type_format check (type ~ '^[a-z]+(_[a-z]+)*$' and char_length(type) <= 60),
  constraint activity_title_length check (char_length(title) <= 255),
  constraint activity_description_length check (char_length(description) <= 50000)
);
create index activity_newest on activity (coach_id, created_at desc, id desc);
create index activity_client on activity (coach_id, client_id);
${enableTenantPolicy('activity')}

create table client_interaction (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint not null,
  appointment_id bigint,
  name text not null,
  content text,
  summary text,
  source text not null default 'manual',
  interaction_date timestamptz(3) not null,
  deleted_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint client_interaction_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint client_interaction_name_length check (name <> '' and char_length(name) <= 255),
  constraint client_interaction_content_length check (char_length(content) <= 50000),
  constraint client_interaction_summary_length check (char_length(summary) <= 50000),
  constraint client_interaction_source_format check (source ~ '^[a-z]+(_[a-z]+)*$' and char_length(source) <= 60),
  constraint client_interaction_version_range check (version >= 1)
);
create index client_interaction_client on client_interaction
  (coach_id, client_id, interaction_date desc, id desc) where deleted_at is null;
create index client_interaction_newest on client_interaction
  (coach_id, interaction_date desc, id desc) where deleted_at is null;
${enableTenantPolicy('client_interaction')}
${addHistoryTrigger('client_interaction', ['version'])}
${indexContent('client_interaction', ['name', 'content', 'summary'])}

create table client_import (
  coach_id bigint not null,
  id bigserial not null,
  file_name text not null,
  content bytea not null,
  encoding text,
  source text,
  mapping jsonb not null,
  status text not null,
  total int not null,
  position int not null default 0,
  created int not null default 0,
  duplicates int not null default 0,
  failed int not null default 0,
  left_out int not null default 0,
  full_at int,
  finished_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint client_import_file_name_length check (char_length(file_name) <= 255),
  constraint client_import_content_size check (octet_length(content) <= 10485760),
  constraint client_import_status_allowed check (status in ('mapping', 'ready', 'running', 'done')),
  constraint client_import_position_range check (position >= 0 and position <= total),
  constraint client_import_counts check (created + duplicates + failed + left_out = position)
);
${enableTenantPolicy('client_import')}
`,
  ),
  migration(
    'crm/0002-tags',
    /* sql */ `
alter table client
  add column tags text[] not null default '{}',
  add constraint client_tags_count check (cardinality(tags) <= 20 and array_position(tags, null) is null);
create index client_tagged on client (coach_id) where tags <> '{}';
-- As before, with the tags. No row has any yet.
drop trigger client_content on client;
create trigger client_content
  after insert or delete or update of tags, goals, notes, future_goals, frustrations, fears, failures on client
  for each row execute function index_content(
    'client', 'tags[*]', 'goals', 'notes', 'future_goals', 'frustrations', 'fears', 'failures');
`,
  ),
  migration(
    'crm/0003-views',
    /* sql */ `
create table client_view (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  url text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint client_view_name_length check (name <> '' and char_length(name) <= 60),
  constraint client_view_url_length check (char_length(url) <= 2000)
);
create unique index client_view_name_key on client_view (coach_id, lower(name));
${enableTenantPolicy('client_view')}
`,
  ),
  migration(
    'crm/0004-changes',
    /* sql */ `
create table client_change (
  coach_id bigint not null,
  id bigserial not null,
  action text not null,
  value text,
  before jsonb not null,
  undone_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint client_change_action_allowed
    check (action in ('add-tag', 'remove-tag', 'status', 'archive', 'unarchive', 'delete')),
  constraint client_change_value_length check (char_length(value) <= 60)
);
${enableTenantPolicy('client_change')}
`,
  ),
  // Rows that are written only in a signed transaction of their coach.
  migration('crm/0005-signed-rows', /* sql */ `${requireSignedActor('client_change', 'client_import', 'client_view')}`),
  // Clients that were merged.
  migration(
    'crm/0006-merges',
    /* sql */ `
alter table client add column merged_with_id bigint;

create table client_merge (
  coach_id bigint not null,
  id bigserial not null,
  kept_id bigint not null,
  merged_id bigint,
  moved jsonb not null,
  last_ids jsonb not null,
  fields jsonb not null,
  undone_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint client_merge_coach_id_kept_id_foreign foreign key (coach_id, kept_id)
    references client (coach_id, id) on delete cascade,
  constraint client_merge_coach_id_merged_id_foreign foreign key (coach_id, merged_id)
    references client (coach_id, id),
  constraint client_merge_two_clients check (kept_id <> merged_id)
);
create index client_merge_kept on client_merge (coach_id, kept_id);
create unique index client_merge_active on client_merge (coach_id, merged_id) where undone_at is null;
${enableTenantPolicy('client_merge')}
${requireSignedActor('client_merge')}

-- Whether a merge, or the undo of one, moves rows from one client to the other. For triggers of rows that never change.
create function is_client_move(coach bigint, old_client bigint, new_client bigint) returns boolean
language sql stable set search_path = public, pg_temp as $$
  select exists (select 1 from client_merge where coach_id = coach and (
    undone_at is null and merged_id = old_client and kept_id = new_client
    or undone_at is not null and kept_id = old_client and merged_id = new_client))
$$;
`,
  ),
  migration(
    'crm/0007-import-choices',
    /* sql */ `
alter table client_import
  add column deselected jsonb not null default '[]',
  add column tag text,
  add column not_selected int not null default 0,
  drop constraint client_import_status_allowed,
  drop constraint client_import_counts,
  add constraint client_import_status_allowed
    check (status in ('mapping', 'ready', 'running', 'done', 'undoing', 'undone')),
  add constraint client_import_counts
    check (created + duplicates + failed + left_out + not_selected = position),
  add constraint client_import_deselected_list check (jsonb_typeof(deselected) = 'array'),
  add constraint client_import_tag_length check (char_length(tag) <= 40);

create table imported_client (
  coach_id bigint not null,
  id bigserial not null,
  import_id bigint not null,
  client_id bigint not null,
  outcome text,
  used_by text,
  primary key (coach_id, id),
  constraint imported_client_coach_id_import_id_foreign foreign key (coach_id, import_id)
    references client_import (coach_id, id) on delete cascade,
  constraint imported_client_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint imported_client_outcome_allowed check (outcome in ('moved', 'changed', 'archived', 'used', 'deleted')),
  constraint imported_client_used_by_length check (char_length(used_by) <= 100)
);
create index imported_client_import on imported_client (coach_id, import_id, id);
create unique index imported_client_client on imported_client (coach_id, client_id);
${enableTenantPolicy('imported_client')}
${requireSignedActor('imported_client')}
`,
  ),
  // The policy for clients reads `deleted_at`, so a search read the rows themselves. The new index has another name first:
  // an earlier version goes on reading while it is built.
  migration(
    'crm/0008-search-index',
    /* sql */ `
create index client_searched on client (coach_id, id) include (search_text, archived_at, deleted_at)
  where deleted_at is null;
drop index client_search;
alter index client_searched rename to client_search;
`,
  ),
  // Under row level security an index on `lower(email)` isn't used, because `lower` isn't leakproof: each look-up read all
  // clients of the coach.
  migration(
    'crm/0009-clients-by-email',
    /* sql */ `
-- The ids of the clients outside the trash with an email address, ignoring case: those that the transaction may see.
create function list_client_ids_by_email(coach bigint, address text) returns setof bigint
language plpgsql stable security definer rows 1 set search_path = public, pg_temp as $$
declare
  current_client bigint := nullif(current_setting('app.client_id', true), '')::bigint;
begin
  if coach is distinct from nullif(current_setting('app.coach_id', true), '')::bigint then return; end if;
  return query select c.id from client c where c.coach_id = coach and lower(c.email) = lower(address)
    and c.deleted_at is null and (current_client is null or c.id = current_client);
end $$;
alter function list_client_ids_by_email(bigint, text) owner to practice_lookup;
revoke all on function list_client_ids_by_email(bigint, text) from public;
grant execute on function list_client_ids_by_email(bigint, text) to practice_app;
`,
  ),
]
