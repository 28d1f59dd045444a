import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

const payload = z.object({ summaryId: z.int(), appointmentId: z.int() })

/** A draft: no client sees it before it is approved. */
export const summaryGenerated = defineEvent('summaries.summary-generated', payload)
export const summaryApproved = defineEvent('summaries.summary-approved', payload)
