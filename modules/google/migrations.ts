import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'google/0001-initial',
    /* sql */ `
create table google_connection (
  coach_id bigint not null,
  id bigserial not null,
  email text not null,
  state text not null default 'connected',
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  failures int not null default 0,
  last_error text,
  next_try_at timestamptz(3),
  is_away boolean not null default false,
  claimed_until timestamptz(3),
  sync_requested_at timestamptz(3),
  adds_meet_links boolean not null default false,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint google_connection_state_allowed check (state in ('connected', 'failing', 'needs_reconnect')),
  constraint google_connection_email_length check (char_length(email) <= 254),
  constraint google_connection_last_error_length check (char_length(last_error) <= 255)
);
create unique index google_connection_coach on google_connection (coach_id);
${enableTenantPolicy('google_connection')}

create table google_token (
  coach_id bigint not null,
  id bigserial not null,
  connection_id bigint not null,
  refresh_token text not null,
  access_token text not null,
  access_token_expires_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint google_token_coach_id_connection_id_foreign foreign key (coach_id, connection_id)
    references google_connection (coach_id, id) on delete cascade
);
create unique index google_token_coach on google_token (coach_id);
${enableTenantPolicy('google_token')}

create table google_connect_attempt (
  coach_id bigint not null,
  id bigserial not null,
  state_hash bytea not null,
  code_verifier text not null,
  in_popup boolean not null,
  expires_at timestamptz(3) not null,
  primary key (coach_id, id)
);
create unique index google_connect_attempt_state on google_connect_attempt (coach_id, state_hash);
${enableTenantPolicy('google_connect_attempt')}

create table google_calendar (
  coach_id bigint not null,
  id bigserial not null,
  connection_id bigint not null,
  calendar_id text not null,
  name text not null,
  timezone text not null,
  is_primary boolean not null default false,
  can_write boolean not null default false,
  blocks boolean not null default false,
  is_target boolean not null default false,
  sync_token text,
  synced_at timestamptz(3),
  channel_id text,
  channel_resource_id text,
  channel_expires_at timestamptz(3),
  primary key (coach_id, id),
  constraint google_calendar_coach_id_connection_id_foreign foreign key (coach_id, connection_id)
    references google_connection (coach_id, id) on delete cascade,
  constraint google_calendar_calendar_id_length check (char_length(calendar_id) <= 1024),
  constraint google_calendar_name_length check (char_length(name) <= 255),
  constraint google_calendar_timezone_length check (char_length(timezone) <= 255)
);
create unique index google_calendar_key on google_calendar (coach_id, calendar_id);
create unique index google_calendar_target on google_calendar (coach_id) where is_target;
${enableTenantPolicy('google_calendar')}

create table google_event (
  coach_id bigint not null,
  id bigserial not null,
  google_calendar_id bigint not null,
  event_id text not null,
  start_time timestamptz(3),
  end_time timestamptz(3),
  timezone text not null,
  recurrence text,
  series_event_id text,
  original_start timestamptz(3),
  primary key (coach_id, id),
  constraint google_event_coach_id_google_calendar_id_foreign foreign key (coach_id, google_calendar_id)
    references google_calendar (coach_id, id) on delete cascade,
  constraint google_event_event_id_length check (char_length(event_id) <= 1024),
  constraint google_event_times check (end_time > start_time and num_nulls(start_time, end_time) <> 1)
);
create unique index google_event_key on google_event (coach_id, google_calendar_id, event_id);
create index google_event_series on google_event (coach_id, google_calendar_id, series_event_id)
  where series_event_id is not null;
${enableTenantPolicy('google_event')}

create table google_link (
  coach_id bigint not null,
  id bigserial not null,
  appointment_id bigint not null,
  google_calendar_id bigint,
  event_id text,
  generation int not null default 0,
  etag text,
  event_updated_at timestamptz(3),
  written_at timestamptz(3),
  start_time timestamptz(3),
  end_time timestamptz(3),
  content_hash text,
  meet_url text,
  changes int not null default 0,
  written_changes int not null default 0,
  primary key (coach_id, id),
  constraint google_link_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint google_link_coach_id_google_calendar_id_foreign foreign key (coach_id, google_calendar_id)
    references google_calendar (coach_id, id),
  constraint google_link_event_id_length check (char_length(event_id) <= 1024)
);
create unique index google_link_appointment on google_link (coach_id, appointment_id);
create index google_link_event on google_link (coach_id, google_calendar_id, event_id) where event_id is not null;
create index google_link_pending on google_link (coach_id, id) where changes > written_changes;
${enableTenantPolicy('google_link')}
`,
  ),
  // The owner of a claim, and Meet links for single sessions.
  migration(
    'google/0002-claim-and-meet-links',
    /* sql */ `
alter table google_connection add column claim uuid;
alter table google_link add column wants_meet boolean not null default false;
`,
  ),
  // Whether the coach lets us read the transcripts of Google Meet.
  migration(
    'google/0003-meet-transcripts',
    /* sql */ `
alter table google_connection add column reads_meet boolean not null default false;
`,
  ),
  // Rows that are written only in a signed transaction of their coach.
  migration(
    'google/0004-signed-rows',
    /* sql */ `${requireSignedActor('google_connection', 'google_token', 'google_calendar')}`,
  ),
  // How reading Google Meet works, and who was sent to Google for it.
  migration(
    'google/0005-meet-health',
    /* sql */ `
alter table google_connection
  add column meet_reached_at timestamptz(3),
  add column meet_error text,
  add constraint google_connection_meet_error_allowed check (meet_error in ('busy', 'down', 'garbage', 'refused'));
alter table google_connect_attempt add column with_meet boolean not null default false;
`,
  ),
]
