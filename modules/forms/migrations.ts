import { migration } from '#db/migration.ts'
import { enableTenantPolicy } from '#db/policies.ts'
import { addHistoryTrigger, indexContent, requireSignedActor } from '#db/triggers.ts'

/** Oldest first. A released migration never changes: add the next one at the end. */
export const migrations = [
  migration(
    'forms/0001-initial',
    /* sql */ `
create table form (
  coach_id bigint not null,
  id bigserial not null,
  name text not null,
  description text,
  questions jsonb not null default '[]',
  published_number int,
  deleted_at timestamptz(3),
  version int not null default 1,
  search_text text generated always as (search_key(name)) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint form_name_length check (name <> '' and char_length(name) <= 255),
  constraint form_description_length check (char_length(description) <= 2000),
  constraint form_questions_count
    check (jsonb_typeof(questions) = 'array' and jsonb_array_length(questions) <= 100),
  constraint form_published_number_range check (published_number >= 1),
  constraint form_version_range check (version >= 1)
);
create index form_newest on form (coach_id, created_at desc, id desc) where deleted_at is null;
${enableTenantPolicy('form')}
${addHistoryTrigger('form', ['version', 'questions'])}

create table form_version (
  coach_id bigint not null,
  id bigserial not null,
  form_id bigint not null,
  number int not null,
  name text not null,
  description text,
  questions jsonb not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint form_version_coach_id_form_id_foreign foreign key (coach_id, form_id)
    references form (coach_id, id) on delete cascade,
  constraint form_version_number_range check (number >= 1),
  constraint form_version_name_length check (char_length(name) <= 255),
  constraint form_version_description_length check (char_length(description) <= 2000)
);
create unique index form_version_number on form_version (coach_id, form_id, number);
${enableTenantPolicy('form_version')}
${requireSignedActor('form_version')}

create table form_submission (
  coach_id bigint not null,
  id bigserial not null,
  form_id bigint not null,
  form_version_id bigint,
  client_id bigint,
  prospect_id bigint,
  appointment_id bigint,
  source text not null,
  answers jsonb not null,
  content text,
  expires_at timestamptz(3),
  emailed_at timestamptz(3),
  started_at timestamptz(3),
  submitted_at timestamptz(3),
  deleted_at timestamptz(3),
  version int not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint form_submission_coach_id_form_id_foreign foreign key (coach_id, form_id)
    references form (coach_id, id) on delete cascade,
  constraint form_submission_coach_id_form_version_id_foreign foreign key (coach_id, form_version_id)
    references form_version (coach_id, id) on delete cascade,
  constraint form_submission_coach_id_client_id_foreign foreign key (coach_id, client_id)
    references client (coach_id, id) on delete cascade,
  constraint form_submission_coach_id_appointment_id_foreign foreign key (coach_id, appointment_id)
    references appointment (coach_id, id),
  constraint form_submission_client_or_prospect check (num_nonnulls(client_id, prospect_id) = 1),
  constraint form_submission_source_allowed check (source in ('coach', 'booking')),
  constraint form_submission_started check ((started_at is null) = (form_version_id is null)),
  constraint form_submission_submitted check (submitted_at is null or started_at is not null),
  constraint form_submission_version_range check (version >= 1)
);
create index form_submission_newest on form_submission (coach_id, created_at desc, id desc) where deleted_at is null;
create index form_submission_form on form_submission (coach_id, form_id, created_at desc, id desc);
create index form_submission_client on form_submission (coach_id, client_id, created_at desc)
  where client_id is not null;
create index form_submission_prospect on form_submission (coach_id, prospect_id) where prospect_id is not null;
create index form_submission_version on form_submission (coach_id, form_version_id)
  where form_version_id is not null;
create index form_submission_submitted on form_submission (coach_id, submitted_at desc)
  where submitted_at is not null;
create unique index form_submission_appointment on form_submission (coach_id, appointment_id, form_id)
  where appointment_id is not null;
${enableTenantPolicy('form_submission')}
${addHistoryTrigger('form_submission', ['version', 'answers', 'content', 'form_version_id', 'started_at'])}
${indexContent('form_submission', ['content'])}
-- The foreign key to prospects, if there is a module that has them.
select connect_prospects();

create table form_file (
  coach_id bigint not null,
  id bigserial not null,
  submission_id bigint not null,
  question text not null,
  stored_file_id bigint not null,
  file_name text not null,
  size bigint not null,
  content_type text not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint form_file_coach_id_submission_id_foreign foreign key (coach_id, submission_id)
    references form_submission (coach_id, id) on delete cascade,
  constraint form_file_coach_id_stored_file_id_foreign foreign key (coach_id, stored_file_id)
    references stored_file (coach_id, id),
  constraint form_file_question_length check (char_length(question) <= 40),
  constraint form_file_file_name_length check (char_length(file_name) <= 255),
  constraint form_file_content_type_length check (char_length(content_type) <= 255)
);
create index form_file_submission on form_file (coach_id, submission_id);
create index form_file_stored_file on form_file (coach_id, stored_file_id);
${enableTenantPolicy('form_file')}
${requireSignedActor('form_file')}

create table form_proposal (
  coach_id bigint not null,
  id bigserial not null,
  submission_id bigint not null,
  question text not null,
  field text not null,
  value text not null,
  state text not null default 'open',
  decided_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint form_proposal_coach_id_submission_id_foreign foreign key (coach_id, submission_id)
    references form_submission (coach_id, id) on delete cascade,
  constraint form_proposal_question_length check (char_length(question) <= 40),
  constraint form_proposal_field_allowed check (field in ('phone', 'location', 'profession', 'program', 'goals',
    'notes', 'futureGoals', 'frustrations', 'fears', 'failures')),
  constraint form_proposal_state_allowed check (state in ('open', 'approved', 'dismissed')),
  constraint form_proposal_decided check ((state = 'open') = (decided_at is null)),
  constraint form_proposal_value_length check (char_length(value) <= 50000)
);
create unique index form_proposal_question on form_proposal (coach_id, submission_id, question);
create index form_proposal_open on form_proposal (coach_id, created_at desc, id desc) where state = 'open';
${enableTenantPolicy('form_proposal')}
${requireSignedActor('form_proposal')}

create table form_requirement (
  coach_id bigint not null,
  id bigserial not null,
  appointment_type_id bigint not null,
  form_id bigint not null,
  created_at timestamptz(3) not null,
  primary key (coach_id, id),
  constraint form_requirement_coach_id_appointment_type_id_foreign foreign key (coach_id, appointment_type_id)
    references appointment_type (coach_id, id) on delete cascade,
  constraint form_requirement_coach_id_form_id_foreign foreign key (coach_id, form_id)
    references form (coach_id, id) on delete cascade
);
create unique index form_requirement_type on form_requirement (coach_id, appointment_type_id, form_id);
create index form_requirement_form on form_requirement (coach_id, form_id);
${enableTenantPolicy('form_requirement')}
${requireSignedActor('form_requirement')}
`,
  ),
  // The coach is not emailed about forms that were answered before.
  migration(
    'forms/0002-notified-answers',
    /* sql */ `
alter table form_submission add column notified_at timestamptz(3);
drop trigger form_submission_history on form_submission;
alter table form_submission no force row level security;
update form_submission set notified_at = submitted_at where submitted_at is not null;
alter table form_submission force row level security;
${addHistoryTrigger('form_submission', [
  'version',
  'answers',
  'content',
  'form_version_id',
  'started_at',
  'notified_at',
])}
create index form_submission_to_notify on form_submission (coach_id)
  where submitted_at is not null and notified_at is null;
`,
  ),
]
