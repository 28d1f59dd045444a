import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const formPayload = z.object({ formId: z.int() })

export const formCreated = defineEvent('forms.form-created', formPayload)
export const formUpdated = defineEvent('forms.form-updated', formPayload)
/** It has a new version. */
export const formPublished = defineEvent('forms.form-published', formPayload)
/** Moved to the trash. */
export const formDeleted = defineEvent('forms.form-deleted', formPayload)
export const formRestored = defineEvent('forms.form-restored', formPayload)

const submissionPayload = z.object({ submissionId: z.int() })

export const formSent = defineEvent('forms.form-sent', submissionPayload)
export const formSubmitted = defineEvent('forms.form-submitted', submissionPayload)
/** Moved to the trash. */
export const submissionDeleted = defineEvent('forms.submission-deleted', submissionPayload)
export const submissionRestored = defineEvent('forms.submission-restored', submissionPayload)
