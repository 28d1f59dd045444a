import { joinClient } from '#modules/crm/index.ts'

// $1 is the coach.

/** The program `p` with its client `c`. */
export const programTables = `program p ${joinClient('p')}`
/** A program is hidden while it or its client is in the trash. */
export const isVisible = 'p.deleted_at is null and c.deleted_at is null'
