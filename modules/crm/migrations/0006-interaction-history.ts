import { withHistory } from '#db/columns.ts'
import { migration } from '#db/migration.ts'

/** The history of interactions. */
export const interactionHistory = migration(
  'crm/0006-interaction-history',
  withHistory('client_interaction', ['version']),
)
