import { z } from 'zod'
import { defineEvent } from '#modules/core/events.ts'

/** A client signed in to the portal in a new browser. */
export const clientSignedIn = defineEvent('portal.client-signed-in', z.object({ clientId: z.int() }))
