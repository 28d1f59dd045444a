import { enableTenantPolicy } from '#db/policies.ts'
import { requireSignedActor } from '#db/triggers.ts'

export const practiceExports = /* sql */ `
create table practice_export (
  coach_id bigint not null,
  id bigserial not null,
  progress int not null default 0,
  key text,
  size bigint,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  primary key (coach_id, id),
  constraint practice_export_progress_range check (progress >= 0 and progress <= 100),
  constraint practice_export_key_format check (
    key ~ '^[0-9]+/[0-9a-f]{32}$' and split_part(key, '/', 1) = coach_id::text),
  constraint practice_export_complete check (num_nulls(key, size, finished_at, expires_at) in (0, 4))
);
${enableTenantPolicy('practice_export')}
${requireSignedActor('practice_export')}
`

/** Some exports fail; then nothing of them is left in the store. */
export const failedExports = /* sql */ `
alter table practice_export add column failed_at timestamptz(3);
alter table practice_export add constraint practice_export_failed check (num_nonnulls(key, failed_at) <= 1);
`
