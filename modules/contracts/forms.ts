import { z } from 'zod'
import { emptyAsNull, formId, id, multiLine, optionalFormId, singleLine } from '#app/lib/zod-types.ts'
import { contractStatuses, limits, signFields, type ContractStatus } from './fields.ts'
import { findPlaceholderProblem } from './placeholders.ts'
import { contract, template } from './records.ts'
import { starters, type StarterName } from './starters.ts'

/** A text with placeholders, all of which there are. */
const body = (required: string) =>
  z.preprocess(
    (value) => value ?? '',
    multiLine(limits.text).superRefine((text, ctx) => {
      const problem = text.trim() === '' ? required : findPlaceholderProblem(text)
      if (problem) ctx.addIssue({ code: 'custom', message: problem })
    }),
  )
const withText = { body: body('Write the text of the contract') }

export const NewTemplate = template.create.extend(withText)
export type NewTemplate = z.output<typeof NewTemplate>
export const TemplateEdit = template.update.extend({ body: withText.body.optional() })
export type TemplateEdit = z.output<typeof TemplateEdit>

/** POST /api/contracts: from a template, or with a title and a text. */
export const NewContract = contract.create.partial({ title: true }).extend({
  clientId: id('Client not found'),
  contractTemplateId: id('Contract template not found').optional(),
  body: withText.body.optional(),
})
export type NewContract = z.output<typeof NewContract>
export const ContractEdit = contract.update.extend({ body: withText.body.optional() })
export type ContractEdit = z.output<typeof ContractEdit>

export const ContractFilter = z.object({
  status: z.enum(Object.keys(contractStatuses) as [ContractStatus, ...ContractStatus[]]).optional(),
  clientId: z.string().optional().describe('Only those of this client.'),
})

export const NewRequirement = z
  .object({
    appointmentTypeId: id('Appointment type not found').optional(),
    productId: id('Product not found').optional(),
    contractTemplateId: id('Contract template not found'),
  })
  .refine(({ appointmentTypeId, productId }) => (appointmentTypeId === undefined) !== (productId === undefined), {
    path: ['appointmentTypeId'],
    message: 'Send either appointmentTypeId or productId.',
  })
export type NewRequirement = z.output<typeof NewRequirement>

// Forms of the pages.

const incomplete = 'This form is incomplete.'
const reason = emptyAsNull(multiLine(limits.reason)).default(null)

export const NewTemplateForm = template.form.pick({ name: true }).extend({
  starter: z.enum(Object.keys(starters) as [StarterName, ...StarterName[]], 'Choose an example'),
})
export const EditTemplateForm = template.editForm.extend(withText)

export const NewContractForm = z.object({
  clientId: formId('Choose a client'),
  contractTemplateId: optionalFormId().optional(),
  title: singleLine(),
})
export const EditContractForm = contract.editForm.extend(withText)

export const SendForm = z.object({ id: formId(incomplete), sendEmail: z.string().optional() })
export const CloseForm = z.object({ id: formId(incomplete), reason })

export const RequireForm = z.object({
  appointmentTypeId: formId(incomplete),
  contractTemplateId: formId('Choose a template'),
})
export const RequireWithProductForm = z.object({
  productId: formId('Choose a product'),
  contractTemplateId: formId('Choose a template'),
})

/** A signature. `hash`: of the text on the page. */
export const SignForm = z.object({
  id: formId(incomplete),
  hash: singleLine(64),
  name: z.preprocess(
    (value) => value ?? '',
    singleLine(limits.name).refine((name) => /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(name), signFields.name.required),
  ),
  consent: z.literal('yes', signFields.consent.required),
  drawing: emptyAsNull(z.string().max(limits.drawing, 'This drawing is too large. Clear it and sign again.')).default(
    null,
  ),
})
export type SignForm = z.output<typeof SignForm>
