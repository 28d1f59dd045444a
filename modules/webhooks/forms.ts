import { z } from 'zod'
import { requiredLine } from '#app/lib/zod-types.ts'
import { endpointFields } from './fields.ts'

export const EndpointForm = z.object({
  url: requiredLine(endpointFields.url.required, endpointFields.url.max),
  events: z.array(z.string().max(100)).default([]),
})
export type EndpointInput = z.output<typeof EndpointForm>
