import { migration } from '#db/migration.ts'

/** What the search compares, beside the key: a coach's clients are looked through without their rows, notes and all. */
export const searchedClients = migration(
  'crm/0007-searched',
  /* sql */ `create index "client_searched" on "client" (coach_id, id) include (search_text, archived_at) where deleted_at is null;`,
)
