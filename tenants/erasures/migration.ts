import { enableTenantPolicy } from '#db/policies.ts'
import { requireSignedActor } from '#db/triggers.ts'

export const erasureReports = /* sql */ `
create table erasure_report (
  coach_id bigint not null,
  id bigserial not null,
  kind text not null,
  record_number bigint not null,
  trashed_at timestamptz(3) not null,
  erased_at timestamptz(3) not null,
  counts jsonb not null,
  primary key (coach_id, id),
  constraint erasure_report_kind_length check (char_length(kind) <= 60),
  constraint erasure_report_counts_array check (jsonb_typeof(counts) = 'array')
);
${enableTenantPolicy('erasure_report')}
${requireSignedActor('erasure_report')}
`
