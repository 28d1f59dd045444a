import { migration } from '#db/migration.ts'

/** Products are found by their names. */
export const search = migration(
  'billing/0003-search',
  /* sql */ `alter table "product" add column "search_text" text generated always as (search_key(name)) stored;`,
)
