import { z } from 'zod'
import { requiredLine } from '#app/lib/zod-types.ts'
import { PasswordCheck } from '../auth/forms.ts'
import { accessLevels, apiKeyFields, lifetimes } from './fields.ts'

const keys = <T extends object>(choices: T) => Object.keys(choices) as [keyof T & string, ...(keyof T & string)[]]

/** Besides these, `scope-PART` has the level for each part: none, read or write. */
export const NewApiKey = PasswordCheck.extend({
  name: requiredLine(apiKeyFields.name.required, 60),
  access: z.enum(keys(accessLevels), apiKeyFields.access.message),
  lifetime: z.enum(keys(lifetimes), apiKeyFields.lifetime.message),
})
