import { defineHook } from '#modules/core/hooks.ts'

/** Moves what a module keeps for the prospect to the client that the prospect became. */
export const reassignProspect = defineHook<Conversion>('pipeline.reassign-prospect')
/** Moves what a module keeps for the client back to the prospect, when the conversion is undone. */
export const reassignClient = defineHook<Conversion>('pipeline.reassign-client')

type Conversion = { prospectId: number; clientId: number }
