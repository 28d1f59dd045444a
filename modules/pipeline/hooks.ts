import { defineHook } from '#modules/core/hooks.ts'

/** Moves what a module keeps for the prospect to the client that the prospect became. */
export const reassignProspect = defineHook<{ prospectId: number; clientId: number }>('pipeline.reassign-prospect')
