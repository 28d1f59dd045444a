import { z } from 'zod'
import { formId } from '#app/lib/zod-types.ts'
import { countings, type Counting } from './fields.ts'
import { entry } from './records.ts'

export const NewEntry = entry.create
export const EntryEdit = entry.update
export type NewEntry = z.output<typeof NewEntry>
export type EntryEdit = z.output<typeof EntryEdit>

/** Hours such as '1.5', as minutes. */
const hours = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().replace(',', '.') : (value ?? '')),
  z
    .string()
    .regex(/^\d{0,5}(\.\d{0,2})?$/, 'Use hours such as 12 or 1.5')
    .transform((text) => Math.round(Number(text === '.' ? 0 : text) * 60)),
)
const withMinutes = <T extends { paidHours: number; proBonoHours: number }>({
  paidHours,
  proBonoHours,
  ...rest
}: T) => ({
  ...rest,
  paidMinutes: paidHours,
  proBonoMinutes: proBonoHours,
})
const maxMinutes = 600_000
/** A form with any hours, and not too many. */
function checkHours({ paidHours, proBonoHours }: { paidHours: number; proBonoHours: number }, ctx: z.RefinementCtx) {
  const minutes = paidHours + proBonoHours
  const message = minutes === 0 ? 'Enter paid or pro bono hours' : 'Enter at most 10,000 hours'
  if (minutes === 0 || minutes > maxMinutes) ctx.addIssue({ code: 'custom', path: ['paidHours'], message })
}
const ofForm = { paidMinutes: true, proBonoMinutes: true } as const
const hourInputs = { paidHours: hours, proBonoHours: hours }

export const EntryForm = entry.form.omit(ofForm).extend(hourInputs).superRefine(checkHours).transform(withMinutes)
export const EditEntryForm = entry.editForm
  .omit(ofForm)
  .extend(hourInputs)
  .superRefine(checkHours)
  .transform(withMinutes)

/** `counting`: null for by itself. */
export const CountForm = z.object({
  clientId: formId('This form is incomplete.'),
  counting: z.preprocess(
    (value) => value || null,
    z.enum(Object.keys(countings) as [Counting, ...Counting[]], 'Choose how to count').nullable(),
  ),
})
export type CountInput = z.output<typeof CountForm>
