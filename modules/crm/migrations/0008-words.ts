import { withWords } from '#db/columns.ts'
import { migration } from '#db/migration.ts'

/** Notes and contacts are found by what they say. */
export const words = migration(
  'crm/0008-words',
  /* sql */ `${withWords('client', ['goals', 'notes', 'future_goals', 'frustrations', 'fears', 'failures'])}${withWords('client_interaction', ['name', 'content', 'summary'])}`,
)
