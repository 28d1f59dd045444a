import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, indexContent } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  // Appointments and their types.
  migration(
    'scheduling/0001-initial',
    /* sql */ `
create table appointment_type (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint appointment_type_name_length check (name <> '' and char_length(name) <= 255)
);
create unique index appointment_type_name_key on appointment_type (coach_id, lower(name)) where deleted_at is null;
${enableTenantPolicy('appointment_type')}
${addHistoryTrigger('appointment_type')}

create table appointment (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint,
  prospect_id bigint,
  appointment_type_id bigint,
  title text not null,
  description text,
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  timezone text not null,
  status text not null default 'scheduled',
  meeting_url text,
  completed_at timestamptz(3),
  session_notes text,
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(title)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint appointment_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint appointment_coach_id_prospect_id_foreign foreign key (coach_id, prospect_id)
    references prospect (coach_id, id) on delete cascade,
  constraint appointment_coach_id_appointment_type_id_foreign foreign key (coach_id, appointment_type_id)
    references appointment_type (coach_id, id),
  constraint appointment_client_or_prospect check (num_nonnulls(client_id, prospect_id) = 1),
  constraint appointment_title_length check (title <> '' and char_length(title) <= 255),
  constraint appointment_description_length check (char_length(description) <= 50000),
  constraint appointment_session_notes_length check (char_length(session_notes) <= 50000),
  constraint appointment_ends_after_start check (end_time > start_time),
  constraint appointment_timezone_length check (char_length(timezone) <= 255),
  constraint appointment_status_allowed check (status in ('scheduled', 'confirmed', 'completed', 'cancelled')),
  constraint appointment_meeting_url_format check (meeting_url ~* '^https://' and char_length(meeting_url) <= 2000),
  constraint appointment_completed_status check (completed_at is null or status = 'completed'),
  constraint appointment_version_range check (version >= 1)
);
create index appointment_start on appointment (coach_id, start_time, id) where deleted_at is null;
create index appointment_client on appointment (coach_id, client_id, start_time) where client_id is not null;
create index appointment_prospect on appointment (coach_id, prospect_id) where prospect_id is not null;
${enableTenantPolicy('appointment')}
${addHistoryTrigger('appointment', ['version'])}
${indexContent('appointment', ['description', 'session_notes'])}
`,
  ),
]
