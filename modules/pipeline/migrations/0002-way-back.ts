import { withHistory } from '#db/columns.ts'
import { migration } from '#db/migration.ts'

/** Where prospects stood before each deletion that moved them, and the version of a stage. `displaced_from_id` is what the version before this one writes. */
export const wayBack = migration(
  'pipeline/0002-way-back',
  /* sql */ `
alter table "prospect" add column "displaced_by" bigint[] not null default '{}';
alter table "pipeline_stage" add column "version" int not null default 1;
alter table "pipeline_stage" add constraint "pipeline_stage_version_range" check (version >= 1) not valid;
alter table "pipeline_stage" validate constraint "pipeline_stage_version_range";
drop trigger "pipeline_stage_history" on "pipeline_stage";
${withHistory('pipeline_stage', ['version'])}
drop trigger "prospect_history" on "prospect";
${withHistory('prospect', ['position', 'displaced_from_id', 'displaced_by', 'version', 'converted_at'])}
`,
)
