import { joinClient } from '#modules/crm/index.ts'

// $1 is the coach.

/** Joins the client `c` of the contract `k`. */
export const contractTables = `contract k ${joinClient('k')}`

/** A contract is hidden while it or its client is in the trash. */
export const isVisible = 'k.deleted_at is null and c.deleted_at is null'

/** The client's name as it is now; that in the contract once the client is erased. */
export const clientNameSql = 'coalesce(c.name, k.client_name)'
