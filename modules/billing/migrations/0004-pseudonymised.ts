import { forgottenWith } from '#db/columns.ts'
import { migration } from '#db/migration.ts'

/** A sale stays in the books when its client is erased, without what was noted of the client. */
export const pseudonymised = migration('billing/0004-pseudonymised', forgottenWith('purchase', 'client_id', ['notes']))
