import { migration } from '#db/migration.ts'

/** What the search compares, beside the key: a coach's prospects are looked through without their rows. */
export const searchedProspects = migration(
  'pipeline/0003-searched',
  /* sql */ `create index "prospect_searched" on "prospect" (coach_id, id) include (search_text, converted_at) where deleted_at is null;`,
)
