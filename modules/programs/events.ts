import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const templatePayload = z.object({ templateId: z.int() })
export const templateCreated = defineEvent('programs.template-created', templatePayload)
export const templateUpdated = defineEvent('programs.template-updated', templatePayload)
/** Moved to the trash. */
export const templateDeleted = defineEvent('programs.template-deleted', templatePayload)
export const templateRestored = defineEvent('programs.template-restored', templatePayload)

const programPayload = z.object({ programId: z.int() })
export const programAssigned = defineEvent('programs.program-assigned', programPayload)
export const programUpdated = defineEvent('programs.program-updated', programPayload)
export const programCompleted = defineEvent('programs.program-completed', programPayload)
/** Completed by mistake. */
export const programReopened = defineEvent('programs.program-reopened', programPayload)
/** Moved to the trash. */
export const programDeleted = defineEvent('programs.program-deleted', programPayload)
export const programRestored = defineEvent('programs.program-restored', programPayload)

const itemPayload = z.object({ programId: z.int(), itemId: z.int() })
export const itemCompleted = defineEvent('programs.item-completed', itemPayload)
export const itemReopened = defineEvent('programs.item-reopened', itemPayload)

const goalPayload = z.object({ programId: z.int(), goalId: z.int() })
export const goalCreated = defineEvent('programs.goal-created', goalPayload)
/** Its measure or its value. */
export const goalUpdated = defineEvent('programs.goal-updated', goalPayload)
/** Moved to the trash. */
export const goalDeleted = defineEvent('programs.goal-deleted', goalPayload)
export const goalRestored = defineEvent('programs.goal-restored', goalPayload)
