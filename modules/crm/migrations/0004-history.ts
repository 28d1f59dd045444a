import { withHistory } from '#db/columns.ts'
import { migration } from '#db/migration.ts'

/** The history of clients, and the search that knows no accents. */
export const history = migration(
  'crm/0004-history',
  /* sql */ `
alter table "client" add column "search_text" text generated always as (search_key(name || chr(10) || email)) stored;
${withHistory('client', ['total_spent', 'version', 'converted_at', 'converted_from_prospect_id'])}
`,
)
