import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, indexContent, requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  // Consents, transcripts and summaries.
  migration(
    'summaries/0001-initial',
    /* sql */ `
create table recording_consent (
  coach_id bigint not null,
  id bigserial not null,
  client_id bigint,
  appointment_id bigint,
  channel text not null,
  wording text not null,
  given_at timestamptz(3) not null,
  withdrawn_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint recording_consent_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint recording_consent_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint recording_consent_client_or_appointment check (num_nonnulls(client_id, appointment_id) = 1),
  constraint recording_consent_channel_allowed check (channel in ('spoken', 'email', 'form', 'message', 'phone')),
  constraint recording_consent_wording_length check (wording <> '' and char_length(wording) <= 2000),
  constraint recording_consent_withdrawn_after check (withdrawn_at >= given_at)
);
create index recording_consent_client on recording_consent (coach_id, client_id, id) where client_id is not null;
create index recording_consent_appointment on recording_consent (coach_id, appointment_id, id)
  where appointment_id is not null;
${enableTenantPolicy('recording_consent')}
${addHistoryTrigger('recording_consent')}

create table session_transcript (
  coach_id bigint not null,
  id bigserial not null,
  appointment_id bigint not null,
  source text not null,
  file_name text,
  lines jsonb not null,
  line_count int not null,
  duration_ms int,
  search_text text not null,
  search_words text not null,
  processing_since timestamptz(3),
  failure text,
  deleted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint session_transcript_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint session_transcript_source_allowed check (source in ('upload', 'paste', 'zoom', 'meet', 'revai')),
  constraint session_transcript_file_name_length check (char_length(file_name) <= 255),
  constraint session_transcript_line_count_range check (line_count >= 1),
  constraint session_transcript_duration_range check (duration_ms >= 0),
  constraint session_transcript_failure_length check (char_length(failure) <= 500)
);
-- The search reads them for all transcripts: without compression that takes a tenth of the time.
alter table session_transcript alter column search_text set storage external, alter column search_words set storage external;
create unique index session_transcript_appointment on session_transcript (coach_id, appointment_id)
  where deleted_at is null;
${enableTenantPolicy('session_transcript')}
${addHistoryTrigger('session_transcript', [
  'appointment_id',
  'source',
  'lines',
  'duration_ms',
  'search_words',
  'processing_since',
  'failure',
])}

create table session_summary (
  coach_id bigint not null,
  id bigserial not null,
  appointment_id bigint not null,
  transcript_id bigint,
  status text not null default 'draft',
  method text not null,
  model text,
  prompt_version text,
  lines_hash bytea not null,
  overview jsonb not null,
  takeaways jsonb not null,
  actions jsonb not null,
  content text not null,
  approved_at timestamptz(3),
  shared_at timestamptz(3),
  shared_by text,
  interaction_id bigint,
  deleted_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint session_summary_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint session_summary_coach_id_transcript_id_foreign foreign key (coach_id, transcript_id)
    references session_transcript (coach_id, id),
  constraint session_summary_status_allowed check (status in ('draft', 'approved', 'shared')),
  constraint session_summary_method_allowed check (method in ('extract', 'model')),
  constraint session_summary_model_length check (char_length(model) <= 255),
  constraint session_summary_prompt_version_length check (char_length(prompt_version) <= 60),
  constraint session_summary_shared_by_allowed check (shared_by in ('email', 'other')),
  constraint session_summary_approved check ((status = 'draft') = (approved_at is null)),
  constraint session_summary_shared check ((status = 'shared') = (shared_at is not null)),
  constraint session_summary_version_range check (version >= 1)
);
create unique index session_summary_appointment on session_summary (coach_id, appointment_id)
  where deleted_at is null;
create index session_summary_transcript on session_summary (coach_id, transcript_id) where transcript_id is not null;
${enableTenantPolicy('session_summary')}
${addHistoryTrigger('session_summary', [
  'version',
  'appointment_id',
  'transcript_id',
  'method',
  'model',
  'prompt_version',
  'interaction_id',
  'lines_hash',
  'overview',
  'takeaways',
  'actions',
])}
${indexContent('session_summary', ['content'])}

create table summary_settings (
  coach_id bigint not null,
  id bigserial not null,
  wording text,
  transcript_days int,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint summary_settings_wording_length check (char_length(wording) <= 2000),
  constraint summary_settings_transcript_days_range check (transcript_days >= 1 and transcript_days <= 3650)
);
create unique index summary_settings_coach on summary_settings (coach_id);
${enableTenantPolicy('summary_settings')}
`,
  ),
  // Recordings that wait for their transcript.
  migration(
    'summaries/0002-recordings',
    /* sql */ `
create table session_recording (
  coach_id bigint not null,
  id bigserial not null,
  appointment_id bigint not null,
  file_id bigint,
  file_name text not null,
  size bigint not null,
  status text not null,
  attempt int not null default 1,
  job_id text,
  started_at timestamptz(3),
  failure text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint session_recording_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint session_recording_coach_id_file_id_foreign foreign key (coach_id, file_id)
    references stored_file (coach_id, id) on delete no action,
  constraint session_recording_status_allowed check (status in ('waiting', 'submitting', 'transcribing', 'failed')),
  constraint session_recording_size_range check (size >= 0),
  constraint session_recording_attempt_range check (attempt >= 1),
  constraint session_recording_file_name_length check (char_length(file_name) <= 255),
  constraint session_recording_job_id_length check (char_length(job_id) <= 255),
  constraint session_recording_failure_length check (char_length(failure) <= 500),
  constraint session_recording_failed check ((status = 'failed') = (failure is not null))
);
create unique index session_recording_appointment on session_recording (coach_id, appointment_id);
create index session_recording_file on session_recording (coach_id, file_id) where file_id is not null;
${enableTenantPolicy('session_recording')}
`,
  ),
  // Bits that rule most transcripts out when a phrase is searched.
  migration(
    'summaries/0003-word-groups',
    /* sql */ `
-- A number below 131,072 for each two and each three neighbouring words: of the last one only the first three letters, so that it
-- may be typed in part. Only ASCII and a few marks are named, so that the numbers are the same in every database.
create function word_group_numbers(content text, size int) returns int[]
language sql immutable parallel safe set search_path = public, pg_temp as $$
  select coalesce(array_agg(distinct get_byte(hash, 0) * 512 + get_byte(hash, 1) * 2 + get_byte(hash, 2) % 2), '{}')
  from (
    select word, lead(word) over place as second, lead(word, 2) over place as third
    from regexp_split_to_table(content, '[\\x01-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f‘’“”„«»…—–]+')
      with ordinality as words (word, position)
    where word <> ''
    window place as (order by position)
  ) words,
    lateral (select case size
      when 2 then word || ' ' || left(second, 3)
      else word || ' ' || second || ' ' || left(third, 3)
    end as text) as words_of_group,
    lateral sha256(convert_to(words_of_group.text, 'UTF8')) as hash
  where words_of_group.text is not null
$$;

-- 131,072 bits, of which those of the text's groups are set.
create function word_group_bits(content text) returns bytea
language plpgsql immutable parallel safe set search_path = public, pg_temp as $$
declare
  bits bytea := decode(repeat('00', 16384), 'hex');
  number int;
begin
  foreach number in array word_group_numbers(content, 2) || word_group_numbers(content, 3) loop
    bits := set_bit(bits, number, 1);
  end loop;
  return bits;
end $$;

alter table session_transcript add column search_groups bytea generated always as (word_group_bits(search_text)) stored;
alter table session_transcript alter column search_groups set storage external;
drop trigger session_transcript_history on session_transcript;
${addHistoryTrigger('session_transcript', [
  'appointment_id',
  'source',
  'lines',
  'duration_ms',
  'search_words',
  'search_groups',
  'processing_since',
  'failure',
])}
`,
  ),
  // The search for recordings at other services.
  migration(
    'summaries/0004-detection',
    /* sql */ `
create table recording_search (
  coach_id bigint not null,
  id bigserial not null,
  appointment_id bigint not null,
  source text,
  source_id text,
  next_look_at timestamptz(3),
  claim uuid,
  claimed_until timestamptz(3),
  resumed int not null default 0,
  failure text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint recording_search_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint recording_search_source_allowed check (source in ('zoom', 'meet')),
  constraint recording_search_source_id_length check (char_length(source_id) <= 255),
  constraint recording_search_resumed_range check (resumed >= 0),
  constraint recording_search_failure_length check (char_length(failure) <= 500)
);
create unique index recording_search_appointment on recording_search (coach_id, appointment_id);
create index recording_search_due on recording_search (coach_id, next_look_at) where next_look_at is not null;
${enableTenantPolicy('recording_search')}

create table recording_candidate (
  coach_id bigint not null,
  id bigserial not null,
  appointment_id bigint not null,
  source text not null,
  source_id text not null,
  title text not null,
  start_time timestamptz(3) not null,
  end_time timestamptz(3) not null,
  primary key (coach_id, id),
  constraint recording_candidate_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id) on delete cascade,
  constraint recording_candidate_source_allowed check (source in ('zoom', 'meet')),
  constraint recording_candidate_source_id_length check (char_length(source_id) <= 255),
  constraint recording_candidate_title_length check (char_length(title) <= 255)
);
create unique index recording_candidate_key on recording_candidate (coach_id, appointment_id, source, source_id);
${enableTenantPolicy('recording_candidate')}
`,
  ),
  // Recordings that stay after their transcript, to listen to.
  migration(
    'summaries/0005-kept-recordings',
    /* sql */ `
alter table session_recording drop constraint session_recording_status_allowed,
  add constraint session_recording_status_allowed
    check (status in ('waiting', 'submitting', 'transcribing', 'failed', 'kept'));
alter table summary_settings add column recording_days int,
  add constraint summary_settings_recording_days_range check (recording_days >= 1 and recording_days <= 365);
`,
  ),
  // Rows that are written only in a signed transaction of their coach.
  migration('summaries/0006-signed-rows', /* sql */ `${requireSignedActor('session_recording', 'summary_settings')}`),
  // The minutes that were transcribed, for the plans.
  migration(
    'summaries/0007-transcription-usage',
    /* sql */ `
create table transcription_usage (
  coach_id bigint not null,
  id bigserial not null,
  recording_id bigint not null,
  attempt int not null,
  minutes int not null,
  sent_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint transcription_usage_attempt_range check (attempt >= 1),
  constraint transcription_usage_minutes_range check (minutes >= 1)
);
create unique index transcription_usage_recording on transcription_usage (coach_id, recording_id, attempt);
create index transcription_usage_sent on transcription_usage (coach_id, sent_at);
${enableTenantPolicy('transcription_usage')}
${requireSignedActor('transcription_usage')}
`,
  ),
  migration(
    'summaries/0008-next-attempt',
    /* sql */ `alter table recording_search rename column next_look_at to next_attempt_at;`,
  ),
]
